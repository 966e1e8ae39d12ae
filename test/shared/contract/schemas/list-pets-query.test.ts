import { describe, expect, it } from 'vitest';
import { parse } from '../../../../shared/contract/errors/parse.ts';
import { ListPetsQuery } from '../../../../shared/contract/schemas/list-pets-query.ts';

const limitMessage = 'limit must be an integer from 1 to 100.';
// A status may be added.
const statusMessage = expect.stringMatching(/^status must be one of available, pending, sold(, [\w-]+)*\.$/);
const twice = (name: string) => [{ [name]: ['5', '5'] }, `${name} must be given at most once.`] as const;

const parseQuery = (query: unknown) => parse(ListPetsQuery, query, 'invalid_query');

describe('ListPetsQuery', () => {
  it('has a limit of 20 by default, and ignores unknown parameters', () => {
    expect(parseQuery({ unforeseen: ['5'], LIMIT: ['x', 'y'] })).toEqual({ limit: 20 });
  });

  it.each([1, 5, 100])('reads each parameter, such as a limit of %i', (limit) => {
    const query = { limit: [`${limit}`], status: ['sold'], cursor: ['MQ'] };

    expect(parseQuery(query)).toEqual({ limit, status: 'sold', cursor: 'MQ' });
  });

  // Rejecting them would break clients of 1.0.0.
  it('accepts leading zeros in a limit', () => {
    expect(parseQuery({ limit: ['020'] })).toEqual({ limit: 20 });
  });

  it.each([
    ...[
      '',
      '0',
      '00',
      '101',
      '9'.repeat(400),
      '-1',
      '+1',
      '1.0',
      '1e1',
      '0x10',
      ' 5',
      '5\n',
      '٥',
      'five',
    ].map((limit) => [{ limit: [limit] }, limitMessage] as const),
    ...['', 'Sold', 'sold ', 'sold,pending', 'gone'].map(
      (status) => [{ status: [status] }, statusMessage] as const,
    ),
    twice('limit'),
    twice('status'),
    twice('cursor'),
  ])('rejects %j', (query, message) => {
    expect(() => parseQuery(query)).toThrow(expect.objectContaining({ code: 'invalid_query', message }));
  });
});
