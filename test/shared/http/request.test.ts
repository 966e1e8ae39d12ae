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

it('an absolute URL has the host that was called, whatever scheme the client forwards', () => {
  const event = eventOf({ headers: { 'X-Forwarded-Proto': ['http', 'https'] } });

  expect(absoluteUrl(event, '/pets/12')).toBe('https://pets.example/v1/pets/12');
});
