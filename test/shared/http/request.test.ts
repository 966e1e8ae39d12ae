import { describe, expect, expectTypeOf, it } from 'vitest';
import { absoluteUrl, clientOf, headerValue, requestParser } from '../../../shared/http/request.ts';
import { createPart, listParts, removePart } from '../../support/contract/neutral-operations.ts';
import { eventOf, type TestRequest } from '../../support/functions/invoke.ts';

const pathParameters = { machineId: 'm7' };
const parseList = (query: string, request: TestRequest = {}) =>
  requestParser(listParts)(eventOf({ pathParameters, query, ...request }));
const parseCreate = (headers: TestRequest['headers'] = {}, body: unknown = { label: 'wheel' }) =>
  requestParser(createPart)({ ...eventOf({ pathParameters, headers }), body });
const parseRemove = (partId: string) =>
  requestParser(removePart)(eventOf({ pathParameters: { ...pathParameters, partId } }));
const rejected = (code: string, message: string, invalid: string) =>
  expect.objectContaining({ name: 'ApiError', code, message, details: { invalid } });

const limitMessage = 'limit must be an integer from 1 to 100, in digits without leading zeros.';
const keyMessage =
  'Idempotency-Key must be given once, as 1 to 255 visible ASCII characters, and if the first is a quote, a string of RFC 9651 that is not empty.';

describe('the query of a request', () => {
  it('has each parameter as its schema says, and defaults', () => {
    const { query } = parseList('weight=-9223372036854775808&unforeseen=5&LIMIT=x');

    expect(query).toStrictEqual({ limit: 20, cursor: undefined, colour: undefined, weight: -(2n ** 63n) });
    expectTypeOf(query).toEqualTypeOf<{
      readonly limit: number;
      readonly cursor: string | undefined;
      readonly colour: 'red' | 'green' | undefined;
      readonly weight: bigint;
    }>();
  });

  it.each([1, 5, 100])('reads a limit of %i', (limit) => {
    const { query } = parseList(`limit=${limit}&colour=red&cursor=MQ&weight=0`);

    expect(query).toEqual({ limit, colour: 'red', cursor: 'MQ', weight: 0n });
  });

  it.each(['', '0', '00', '020', '101', '9'.repeat(400), '-1', '%2B1', '1.0', '1e1', '%205', '5%0A'])(
    'is rejected with the limit "%s"',
    (limit) => {
      expect(() => parseList(`weight=1&limit=${limit}`)).toThrow(
        rejected('invalid_query', limitMessage, 'limit'),
      );
    },
  );

  it.each(['', 'Red', 'red%20', 'red,green'])('is rejected with the colour "%s"', (colour) => {
    const message = 'colour must be one of red, green.';

    expect(() => parseList(`weight=1&colour=${colour}`)).toThrow(
      rejected('invalid_query', message, 'colour'),
    );
  });

  it.each(['', '01', '-0', '1.0', '1'.repeat(20)])('is rejected with the weight "%s"', (weight) => {
    const message = 'weight must be an integer.';

    expect(() => parseList(`weight=${weight}`)).toThrow(rejected('invalid_query', message, 'weight'));
  });

  it.each<[query: string, message: string, invalid: string]>([
    ['', 'weight is required.', 'weight'],
    ['weight=1&weight=1', 'weight must be given at most once.', 'weight'],
    ['limit=x&weight=x', `${limitMessage} weight must be an integer.`, 'limit, weight'],
  ])('is rejected: %s', (query, message, invalid) => {
    expect(() => parseList(query)).toThrow(rejected('invalid_query', message, invalid));
  });
});

// Its list rejects it, with what else is invalid already told.
it('any text is a cursor at first', () => {
  expect(parseList('weight=1&cursor=%00').query.cursor).toBe('\0');
});

describe('the headers of a request', () => {
  it('are found in any case', () => {
    const { header } = parseCreate({ 'x-batch': ['2027'], 'IDEMPOTENCY-KEY': ['"a"'] });

    expect(header).toEqual({ 'X-Batch': '2027', 'Idempotency-Key': 'a' });
    expectTypeOf(header).toEqualTypeOf<{
      readonly 'X-Batch': string;
      readonly 'Idempotency-Key': string | undefined;
    }>();
  });

  it('join the lines of one name', () => {
    expect(parseCreate({ 'X-Batch': ['1', '2'] }).header).toMatchObject({ 'X-Batch': '1, 2' });
  });

  it.each<[title: string, headers: TestRequest['headers'], message: string, invalid: string]>([
    ['missing', {}, 'X-Batch is required.', 'X-Batch'],
    ['invalid', { 'X-Batch': ['1'] }, 'X-Batch is short.', 'X-Batch'],
    ['a key twice', { 'X-Batch': ['123'], 'Idempotency-Key': ['a', 'a'] }, keyMessage, 'Idempotency-Key'],
  ])('are rejected: %s', (_title, headers, message, invalid) => {
    expect(() => parseCreate(headers)).toThrow(rejected('invalid_header', message, invalid));
  });
});

describe('the body of a request', () => {
  it('has the fields of its schema', () => {
    const { body } = parseCreate({ 'X-Batch': ['123'] }, { label: 'wheel', unforeseen: 1n });

    expect(body).toStrictEqual({ label: 'wheel' });
  });

  it('is rejected', () => {
    const error = rejected('invalid_body', 'label is required.', 'label');

    expect(() => parseCreate({ 'X-Batch': ['123'] }, {})).toThrow(error);
  });
});

describe('the path of a request', () => {
  it.each(['1', '1152921504606846976'])('has the number %s', (partId) => {
    expect(parseRemove(partId).path).toEqual({ machineId: 'm7', partId: BigInt(partId) });
  });

  it.each(['', '0', '-1', '+1', '01', '1.0', '1e3', ' 1', '1\n', '1152921504606846977', '1n'])(
    'is that of no resource with %j',
    (partId) => {
      const message = 'The requested resource could not be found.';

      expect(() => parseRemove(partId)).toThrow(rejected('not_found', message, 'partId'));
    },
  );

  it('is in the URL, encoded', () => {
    const { url } = parseList('weight=1', { pathParameters: { machineId: 'a/$&b' } });

    expect(url).toBe('https://pets.example/v1/machines/a%2F%24%26b/parts');
  });
});

it('clientOf fails without an authorizer', () => {
  const { requestContext } = eventOf();

  expect(() => clientOf({ requestContext: { ...requestContext, authorizer: null } })).toThrow();
});

it('headerValue joins all lines of a header, in any case', () => {
  const multiValueHeaders = { 'idempotency-key': ['one'], 'Idempotency-Key': ['two', 'three'] };

  expect(headerValue({ multiValueHeaders }, 'IDEMPOTENCY-KEY')).toBe('one, two, three');
});

it('an absolute URL has the host that was called, whatever scheme the client forwards', () => {
  const event = eventOf({ headers: { 'X-Forwarded-Proto': ['http', 'https'] } });

  expect(absoluteUrl(event, '/pets/12')).toBe('https://pets.example/v1/pets/12');
});
