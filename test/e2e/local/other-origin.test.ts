import { createServer } from 'node:http';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { close, listen } from '../../../infra/local/http/listen.ts';
import { apiKeyHash, generateApiKey } from '../../../shared/contract/api-key.ts';
import { launchBrowser } from '../../support/local/launch-browser.ts';
import { listeningPorts } from '../../support/local/listening-ports.ts';
import { type RunningApi, startLocalApi } from '../../support/local/local-process.ts';
import { keys } from '../../support/local/operator.ts';

/** A name of the attacker's that leads to this machine. */
const rebound = 'pets.example';

let browser: Browser;
let api: RunningApi;
let apiPort: number;
let ports: readonly number[];
let keysTable: string;

/** A page of another site, which is on this machine as well: so it has the same rights as one on the internet, or more. */
const attacker = createServer((_request, response) => {
  response.setHeader('Content-Type', 'text/html').end('<!doctype html><title>Free pets</title>');
});
let attackerPort: number;

beforeAll(async () => {
  [browser, api, attackerPort] = await Promise.all([
    launchBrowser(`--host-resolver-rules=MAP ${rebound} 127.0.0.1`),
    startLocalApi('--pets', '1'),
    listen(attacker),
  ]);
  apiPort = Number(new URL(api.baseUrl).port);
  ports = listeningPorts(Number(api.process.pid)) ?? [apiPort];
  const { headers, body } = describeStacks;
  const described = await fetch(`http://127.0.0.1:${apiPort}/_aws/`, {
    method: 'POST',
    headers: { ...headers, ...asOperator },
    body,
  });
  keysTable = /[\w-]+ApiKeys\w+(?=<)/.exec(await described.text())?.[0] ?? '';
}, 120_000);
afterAll(async () => {
  await browser.close();
  await api.process.exit('SIGTERM');
  await close(attacker);
});

async function open(url: string): Promise<Page> {
  const context = await browser.newContext();
  onTestFinished(() => context.close());
  const page = await context.newPage();
  await page.goto(url);
  return page;
}

const forgedKey = generateApiKey('staging');

/** One fetch of a page. */
interface Attempt {
  readonly path: string;
  readonly method: 'GET' | 'POST' | 'OPTIONS';
  readonly mode?: 'no-cors';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

const asOperator = {
  'X-Amz-Date': '20261120T000000Z',
  Authorization:
    'AWS4-HMAC-SHA256 Credential=operator/20261120/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0',
};
const describeStacks = {
  headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  body: 'Action=DescribeStacks&Version=2010-05-15',
};

/** What a page may try, in the ways that browsers let it. */
function attempts(): readonly Attempt[] {
  const call = (operation: string, input: object) => ({
    headers: {
      ...asOperator,
      'Content-Type': 'application/x-amz-json-1.0',
      'X-Amz-Target': `DynamoDB_20120810.${operation}`,
    },
    body: JSON.stringify(input),
  });
  const Item = { keyHash: { S: apiKeyHash(forgedKey) }, client: { S: 'forged' }, createdAt: { N: '1' } };
  const put = call('PutItem', { TableName: keysTable, Item });
  const text = { headers: { 'Content-Type': 'text/plain' }, body: put.body };
  const headers = { Authorization: `Bearer ${api.apiKey}` };
  return [
    ...['/', '/_aws/'].flatMap((path): Attempt[] => [
      ...[call('ListTables', {}), call('Scan', { TableName: keysTable }), put, describeStacks, text].map(
        (post) => ({
          path,
          method: 'POST' as const,
          ...post,
        }),
      ),
      { path, method: 'POST', mode: 'no-cors', ...text },
      { path, method: 'GET' },
    ]),
    { path: '/v1/pets', method: 'GET', headers },
    { path: '/v1/pets', method: 'POST', headers, body: '{"name":"Forged","categoryId":1}' },
    { path: '/v1/pets', method: 'OPTIONS' },
    { path: '/openapi.json', method: 'GET' },
  ];
}

/** Lets a page try, and gives what it could read. */
const attack = (page: Page, origin: string): Promise<string[]> =>
  page.evaluate(
    async ([base, tries]) => {
      const read = [];
      for (const { path, ...init } of tries) {
        const response = await fetch(`${base}${path}`, init).catch(() => undefined);
        const text = await response?.text();
        if (response?.ok) read.push(`${init.method} ${path}: ${response.status} ${text}`);
      }
      return read;
    },
    [origin, attempts()] as const,
  );

/** Expects nothing to be there that was not there before. */
async function expectNoChange(): Promise<void> {
  expect(keysTable).toMatch(/^PetStore-staging-/);
  const listed = await keys(['list', '--json', '--port', `${apiPort}`]);
  const pets = await api.call('GET', '/pets');

  expect(JSON.parse(listed.stdout)).toMatchObject([{ client: 'local' }]);
  expect(pets.body).toMatchObject([{ name: 'Bella' }]);
}

describe('the local API', () => {
  it('listens on the one port that it names', () => {
    expect(ports).toStrictEqual([apiPort]);
  });

  it.each(['127.0.0.1', 'localhost'])(
    'lets a page of another origin at %s neither read nor write',
    async (host) => {
      const page = await open(`http://${host}:${attackerPort}/`);

      const read = [];
      for (const port of ports) {
        for (const target of ['127.0.0.1', 'localhost'])
          read.push(...(await attack(page, `http://${target}:${port}`)));
      }

      expect(read).toStrictEqual([]);
      await expectNoChange();
    },
  );

  it('lets a page whose name was made to lead here neither read nor write', async () => {
    for (const port of ports) {
      const page = await open(`http://${rebound}:${port}/`);

      const shown = await page.content();
      const read = await attack(page, '');

      expect(shown).not.toContain(api.apiKey);
      expect(read).toStrictEqual([]);
    }
    await expectNoChange();
  });

  it('shows the reference to who follows a link from elsewhere, and in no frame', async () => {
    const page = await open(`http://127.0.0.1:${attackerPort}/`);
    const reference = `http://127.0.0.1:${apiPort}/`;

    await page.setContent(`<iframe src="${reference}"></iframe><a href="${reference}">Reference</a>`);
    await page.waitForFunction('frames.length === 1');
    const [, frame] = page.frames();
    await frame?.waitForLoadState();
    const framed = await frame?.content();
    await page.click('a');
    await page.waitForURL(reference);
    const opened = await page.content();

    expect(framed).not.toContain('petstore_');
    expect(opened).toContain(api.apiKey);
  });
});
