import { inspect } from 'node:util';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { maxBodyKiB } from '../../../../shared/contract/body-limits.ts';
import { pageSize } from '../../../../shared/paging/page-query.ts';
import { expectLittleTime, headerLength } from '../../../../test/support/fuzz/hostile-text.ts';
import { PetStoreError } from '../../../cli/calls/client-error.ts';
import { maxResponseBytes } from '../../../cli/calls/fetch-whole.ts';
import { nextCursorOf } from '../../../cli/calls/next-cursor.ts';
import { deprecationIn } from '../../../cli/calls/read-response.ts';
import { respond, type StubResponse } from '../../../cli/test/support/stub-api.ts';
import { clientOf, newPet, pet, useNoRandomWait, valid } from '../stub-client.ts';

useNoRandomWait();

const mebibyte = 1024 ** 2;

const gzipped =
  (body: Buffer): StubResponse =>
  (response) =>
    void response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(body);

/** Sends a body that never ends, as fast as it is read. */
const endless: StubResponse = (response) => {
  const send = () => {
    while (response.write(' '.repeat(65_536)));
  };
  response.writeHead(200).on('drain', send);
  send();
};

describe('a response that is too long', () => {
  it('cannot be a page of the longest pets', () => {
    expect(pageSize.maximum * (maxBodyKiB + 1) * 1024).toBeLessThan(maxResponseBytes);
  });

  it.each<[title: string, response: StubResponse]>([
    ['a hundred times as long once it is decompressed', gzipped(gzipSync(Buffer.alloc(200 * mebibyte, ' ')))],
    ['endless', endless],
    ['a byte too long', respond(200, `[${' '.repeat(2 * mebibyte - 1)}]`)],
  ])('fails if it is %s, with a timeout too', async (_title, response) => {
    const { api } = await clientOf([response]);

    const failed = api.listPets({ timeout: 60_000 });

    const cause = { message: 'The body is longer than 2 MiB.' };
    await expect(failed).rejects.toMatchObject({ code: 'unexpected_response', status: 200, cause });
  });

  it('is read up to the limit', async () => {
    const { api } = await clientOf([respond(200, `[${' '.repeat(2 * mebibyte - 2)}]`)]);

    expect((await api.listPets()).pets).toStrictEqual([]);
  });
});

// Each took 1 to 14 seconds.
it.each([
  ['a number of 2 MB', '1'.repeat(2 * mebibyte)],
  ['a number with an exponent', `1e${'9'.repeat(2 * mebibyte - 2)}`],
  ['many empty lists', `[${'[],'.repeat(600_000)}[]]`],
  ['many levels', '['.repeat(mebibyte)],
])('a response of %s is rejected soon', async (_title, body) => {
  const { api } = await clientOf([respond(200, body)]);

  const begun = process.cpuUsage();

  await expect(api.listPets()).rejects.toMatchObject({ code: 'unexpected_response' });

  expect(process.cpuUsage(begun).user / 1e6).toBeLessThan(4);
});

it.each<[name: string, read: (headers: Headers) => unknown, hostile: readonly string[]]>([
  [
    'Link',
    (headers) => nextCursorOf({ headers }, valid.baseUrl, []),
    ['<a>| ; a = ', '<a>|;a=\t', '|<', '<a>;a="|\\"', '|<a>;', '<a>;|a', '<a>|,', '<|?'],
  ],
  [
    'Retry-After',
    (headers) => new PetStoreError('x', '', { url: '', headers }),
    ['|9', '| 9', 'Sun, |0', '|(', '|-'],
  ],
  ['Sunset', (headers) => deprecationIn(headers), ['|9', '|(', '| a', 'Sun, |0']],
  ['Deprecation', (headers) => deprecationIn(headers), ['@|9', '@| 1', '@|-']],
])('a hostile %s is read in little time', (name, read, hostile) => {
  const header = (text: string) => new Headers({ Deprecation: '@1', ...{ [name]: text } });

  expectLittleTime((text) => read(header(text)), headerLength, hostile);
});

describe('an API key that a server sends back', () => {
  const apiKey = 'petstore_test_0123456789';
  const echo = (status: number, body: unknown, headers = {}) =>
    respond(status, body, { 'X-Echo': `Bearer ${apiKey}`, 'x-amzn-RequestId': apiKey, ...headers });

  it.each<[title: string, response: StubResponse]>([
    ['the message', echo(400, { code: 'x', message: `Bearer ${apiKey} is invalid.` })],
    ['the code', echo(400, { code: apiKey, message: 'x' })],
    ['escapes', echo(400, `{"code":"x","message":"${apiKey.replace('p', '\\u0070')}"}`)],
    ['HTML', echo(502, `<p>${apiKey}</p>`)],
    ['a field', echo(201, pet.replace('9223372036854775807', `"${apiKey}"`))],
    ['a key of an object', echo(201, `{"${apiKey}":1}`)],
    ['a redirect', echo(307, '', { Location: `/${apiKey}` })],
    ['a link', echo(200, '[]', { Link: `<?${apiKey}>; rel="next"` })],
    ['broken JSON', echo(201, `"${apiKey}`)],
  ])('is in no error and no event if it stands in %s', async (_title, response) => {
    const events: unknown[] = [];
    const onEvent = (event: unknown) => void events.push(event);
    const { api } = await clientOf([response], { apiKey, onEvent, retries: 0 });

    const failed = [api.createPet(newPet), api.listPets()].map((call) =>
      call.catch((thrown: unknown) => thrown),
    );
    const failures = await Promise.all(failed);

    const text = inspect([failures, events], { depth: null, showHidden: true });
    expect(text).not.toContain(apiKey);
    expect(text).toContain('<API key>');
    expect(failures[0]).toMatchObject({ name: 'PetStoreError' });
  });

  it.each([
    `HTTP/1.1 200 OK\r\nBad Header ${apiKey}\r\n\r\n`,
    `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${apiKey}\r\n`,
    `${apiKey}\r\n`,
  ])('is in no error if %j is not even HTTP', async (text) => {
    const { api } = await clientOf([(response) => response.socket?.end(text)], { apiKey, retries: 0 });

    const failure = await api.listPets().catch((thrown: unknown) => thrown);

    expect(failure).toMatchObject({ code: 'unreachable' });
    expect(inspect(failure, { depth: null, showHidden: true })).not.toContain(apiKey);
  });

  it('is not replaced in a pet', async () => {
    const { api } = await clientOf([respond(201, pet.replace('Bella', apiKey))], { apiKey });

    expect((await api.createPet(newPet)).pet.name).toBe(apiKey);
  });
});
