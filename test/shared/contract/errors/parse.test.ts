import * as v from 'valibot';
import { expect, it } from 'vitest';
import { parse } from '../../../../shared/contract/errors/parse.ts';

const Name = v.pipe(
  v.string('It is no text.'),
  v.minLength(3, 'It is short.'),
  v.regex(/^[A-Z]/, 'It is small.'),
);
const Names = v.object({ first: Name, last: Name, other: v.optional(Name) });

it('parse names the first problem of each field, and none twice', () => {
  expect(() => parse(Names, { first: 'a', last: 1, other: 'b' }, 'invalid_query')).toThrow(
    expect.objectContaining({
      name: 'ApiError',
      code: 'invalid_query',
      message: 'It is short. It is no text.',
    }),
  );
});
