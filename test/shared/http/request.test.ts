import { describe, expect, it } from 'vitest';
import { absoluteUrl, clientOf, headerValues } from '../../../shared/http/request.ts';
import { eventOf } from '../../support/functions/invoke.ts';

describe('clientOf', () => {
  it('is the client that the authorizer has found', () => {
    expect(clientOf(eventOf({ client: 'acme' }))).toBe('acme');
  });

  it('fails without an authorizer', () => {
    const event = eventOf();
    event.requestContext.authorizer = null;

    expect(() => clientOf(event)).toThrow();
  });
});

describe('headerValues', () => {
  it.each(['idempotency-key', 'Idempotency-Key', 'IDEMPOTENCY-KEY'])('finds all values of %s', (name) => {
    const event = eventOf({ headers: { [name]: ['one', 'two'] } });

    expect(headerValues(event, 'Idempotency-Key')).toEqual(['one', 'two']);
  });

  it('finds the values of all spellings', () => {
    const event = eventOf({ headers: { 'idempotency-key': ['one'], 'Idempotency-Key': ['two', 'three'] } });

    expect(headerValues(event, 'IDEMPOTENCY-KEY')).toEqual(['one', 'two', 'three']);
  });

  it('is undefined for a header that the request does not have', () => {
    expect(headerValues(eventOf(), 'Idempotency-Key')).toBeUndefined();
  });
});

describe('absoluteUrl', () => {
  it.each([
    ['https', 'https'],
    ['http', 'http'],
    ['anything else', 'https'],
  ])('for a request over %s starts with %s', (forwarded, scheme) => {
    const event = eventOf();
    event.multiValueHeaders = { 'x-forwarded-proto': [forwarded] };

    expect(absoluteUrl(event, '/pets/12')).toBe(`${scheme}://pets.example/v1/pets/12`);
  });

  it('starts with https where nothing says otherwise', () => {
    const event = eventOf();
    event.multiValueHeaders = {};

    expect(absoluteUrl(event, '/pets/12')).toBe('https://pets.example/v1/pets/12');
  });
});
