import { maxBodyKiB } from '../../shared/contract/errors/error-table.ts';
import { maxBodyDepth } from '../../shared/contract/json-depth.ts';

/** What the interface description says of the API as a whole, in Markdown. */
export const prose = {
  api: `A catalogue of the pets of a store.

## Authentication

Every operation needs an API key, sent as a bearer token: \`Authorization: Bearer <API key>\`. The operators of the
service issue keys.

## Paging

The list comes in pages of at most \`limit\` pets. While there are more, the response has a \`Link\` header with the absolute
URL of the next page, \`rel="next"\` (RFC 8288): follow it as it is, and stop when there is none. Its \`cursor\` is good for
the same \`status\` only. Pets created in the meantime may or may not be listed; no pet is lost or listed twice.

## Retries

A create with an \`Idempotency-Key\` can be repeated as often as it takes: it makes one pet, and a repeat gets that pet with
\`Idempotency-Replayed: true\`. After 429 and 503 wait the seconds of \`Retry-After\`, then try again.

## Errors

Every error is JSON with a machine-readable \`code\`, a \`message\` that says what to change, and the HTTP \`status\` again. A
path or a method that is not described here gets 404 \`not_found\`. To report a problem, quote the \`x-amzn-RequestId\` header
of the response.

## Bodies

A body is JSON in UTF-8, of at most ${maxBodyKiB} KiB, and nested at most ${maxBodyDepth} levels deep. A \`categoryId\` is any 64-bit
integer, kept digit for digit: read it with a parser that does not round past 2^53. An \`id\` is always below 2^53.`,
  tags: {
    pets: 'The pets of the catalogue.',
    store:
      'The orders of the store. `GET /store/orders` is planned and not specified yet: it responds with 404.',
  },
} as const;
