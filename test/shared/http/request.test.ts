import { expect, it } from 'vitest';
import { absoluteUrl, clientOf, headerValues } from '../../../shared/http/request.ts';
import { eventOf } from '../../support/functions/invoke.ts';

it('clientOf fails without an authorizer', () => {
  const { requestContext } = eventOf();

  expect(() => clientOf({ requestContext: { ...requestContext, authorizer: null } })).toThrow();
});

it('headerValues finds all values of a header, in any case', () => {
  const multiValueHeaders = { 'idempotency-key': ['one'], 'Idempotency-Key': ['two', 'three'] };

  expect(headerValues({ multiValueHeaders }, 'IDEMPOTENCY-KEY')).toEqual(['one', 'two', 'three']);
});

it.each([
  ['pets.example', 'https://pets.example/v1/pets/12'],
  ['localhost.pets.example', 'https://localhost.pets.example/v1/pets/12'],
  ['127.0.0.1:3000', 'http://127.0.0.1:3000/v1/pets/12'],
  ['[::1]:3000', 'http://[::1]:3000/v1/pets/12'],
])('the absolute URL at %s is %s, whatever scheme the client forwards', (domainName, url) => {
  const event = eventOf({ headers: { 'X-Forwarded-Proto': ['http', 'https'] } });
  event.requestContext.domainName = domainName;

  expect(absoluteUrl(event, '/pets/12')).toBe(url);
});
