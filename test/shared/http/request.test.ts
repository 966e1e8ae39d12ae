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
  ['pets.example', 'https://pets.example/v1/pets/12'],
  ['localhost.pets.example', 'https://localhost.pets.example/v1/pets/12'],
  ['127.0.0.1:3000', 'http://127.0.0.1:3000/v1/pets/12'],
  ['localhost', 'http://localhost/v1/pets/12'],
  ['[::1]:3000', 'http://[::1]:3000/v1/pets/12'],
])('the absolute URL at the host %s is %s', (domainName, url) => {
  const { requestContext } = eventOf();

  expect(absoluteUrl({ requestContext: { ...requestContext, domainName } }, '/pets/12')).toBe(url);
});

it('a client cannot choose the scheme of an absolute URL', () => {
  const event = { ...eventOf(), multiValueHeaders: { 'X-Forwarded-Proto': ['http', 'https'] } };

  expect(absoluteUrl(event, '/pets/12')).toBe('https://pets.example/v1/pets/12');
});
