import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { parse } from '../../../../shared/contract/errors/parse.ts';
import { listPets } from '../../../../shared/contract/operations.ts';
import { ListPetsQuery } from '../../../../shared/contract/schemas/list-pets-query.ts';

const limitMessage = 'limit must be an integer from 1 to 100.';
const statusMessage = 'status must be one of available, pending, sold.';

const parseQuery = (query: unknown) => parse(ListPetsQuery, query, 'invalid_query');
const invalidQuery = (message: string) => expect.objectContaining({ code: 'invalid_query', message });

describe('ListPetsQuery', () => {
  it('has a limit of 20 by default, and ignores unknown parameters', () => {
    expect(parseQuery({ offset: ['5'], LIMIT: ['x', 'y'] })).toEqual({ limit: 20 });
  });

  it('reads each parameter', () => {
    const query = { limit: ['5'], status: ['sold'], cursor: ['MQ'] };

    expect(parseQuery(query)).toEqual({ limit: 5, status: 'sold', cursor: 'MQ' });
  });

  it('accepts exactly the limits that the interface description allows', () => {
    fc.assert(
      fc.property(fc.oneof(fc.constantFrom(0, 1, 100, 101), fc.nat(200)), (limit) => {
        if (v.is(listPets.parameters.query.limit.schema, limit)) {
          expect(parseQuery({ limit: [`${limit}`] })).toEqual({ limit });
        } else {
          expect(() => parseQuery({ limit: [`${limit}`] })).toThrow(invalidQuery(limitMessage));
        }
      }),
    );
  });

  it.each(['', '0', '101', '9'.repeat(400), '-1', '+1', '1.0', '1e1', '0x10', ' 5', '5\n', '٥', 'five'])(
    'rejects the limit %j',
    (limit) => {
      expect(() => parseQuery({ limit: [limit] })).toThrow(invalidQuery(limitMessage));
    },
  );

  it.each(['', 'Sold', 'sold ', 'sold,pending', 'gone'])('rejects the status %j', (status) => {
    expect(() => parseQuery({ status: [status] })).toThrow(invalidQuery(statusMessage));
  });

  it.each(['limit', 'status', 'cursor'])('rejects %s given twice', (name) => {
    expect(() => parseQuery({ [name]: ['5', '5'] })).toThrow(
      invalidQuery(`${name} must be given at most once.`),
    );
  });
});
