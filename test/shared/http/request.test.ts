import { expect, it } from 'vitest';
import { absoluteUrl, clientOf, headerValues } from '../../../shared/http/request.ts';
import { eventOf } from '../../support/functions/invoke.ts';

it('clientOf fails without an authorizer', () => {
  const event = eventOf();
  event.requestContext.authorizer = null;

  expect(() => clientOf(event)).toThrow();
});

it('headerValues finds all values of a header, in any spelling', () => {
  const event = eventOf({ headers: { 'idempotency-key': ['one'], 'Idempotency-Key': ['two', 'three'] } });

  expect(headerValues(event, 'IDEMPOTENCY-KEY')).toEqual(['one', 'two', 'three']);
});

it.each([
  ['https', { 'x-forwarded-proto': ['https'] }],
  ['http', { 'x-forwarded-proto': ['http'] }],
  ['https', {}],
])('an absolute URL starts with %s for a request with the headers %j', (scheme, headers) => {
  const event = { ...eventOf(), multiValueHeaders: headers };

  expect(absoluteUrl(event, '/pets/12')).toBe(`${scheme}://pets.example/v1/pets/12`);
});
