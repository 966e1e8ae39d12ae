import { pageSize } from '../../shared/contract/list-pets-query.ts';
import { getPet, type operations } from '../../shared/contract/operations.ts';

const sunset = new Date(getPet.deprecation.sunset).toLocaleDateString('en-GB', {
  dateStyle: 'long',
  timeZone: 'UTC',
});

/** What the interface description says in words. */
export const prose = {
  api: `A catalogue of the pets of a store.

## Authentication

Every operation needs an API key, sent as a bearer token: \`Authorization: Bearer <API key>\`. Keys are handed out by the
operators of the service.

## Paging

The list comes in pages of at most \`limit\` pets. While there are more, the answer has a \`Link\` header with the absolute
URL of the next page, \`rel="next"\` (RFC 8288): follow it as it is, and stop when there is none. Its \`cursor\` is good for
the same \`status\` only. Pets that are created meanwhile may or may not be seen; no pet is lost or seen twice.

## Retries

A create with an \`Idempotency-Key\` can be repeated as often as it takes: it makes one pet, and a repeat is answered with
that pet and \`Idempotency-Replayed: true\`. After 429 and 503 wait the seconds of \`Retry-After\`, then try again.

## Errors

Every error is JSON with a machine-readable \`code\`, a \`message\` that says what to change, and the HTTP \`status\` again. A
path or a method that is not described here is answered with 404 \`not_found\`.

## Numbers

A \`categoryId\` is any 64-bit integer, kept digit for digit: read it with a parser that does not round past 2^53. An \`id\`
is always below 2^53.`,
  tags: {
    pets: 'The pets of the catalogue.',
    store:
      'The orders of the store. `GET /store/orders` is planned and not specified yet: it is answered with 404.',
  },
  operations: {
    listPets: {
      summary: 'List pets',
      description: `A page of pets, ${pageSize.default} unless \`limit\` says otherwise. With \`status\` they come by id, and a pet created a moment ago may be missing for about a second; without it the order is stable and otherwise unspecified.`,
      success: 'A page of pets.',
    },
    createPet: {
      summary: 'Create a pet',
      description: 'Adds a pet to the catalogue and assigns its id. Unknown fields of the body are ignored.',
      success: 'The pet was created, now or by the same request before.',
    },
    getPet: {
      summary: 'Get a pet',
      description: `A single pet. **Deprecated: it is removed on ${sunset}**, and answers 410 from then on. Use \`GET /pets\` with the \`status\` filter.`,
      success: 'The pet.',
    },
  } satisfies Record<keyof typeof operations, { summary: string; description: string; success: string }>,
} as const;
