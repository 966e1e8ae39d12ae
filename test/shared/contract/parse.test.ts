import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { ApiError } from '../../../shared/contract/error-table.ts';
import { parse } from '../../../shared/contract/parse.ts';

const Name = v.pipe(v.string('is not text'), v.minLength(3, 'is short'), v.regex(/^[A-Z]/, 'is lowercase'));
const Names = v.object({ first: Name, last: Name, other: v.optional(Name) });

/** A body schema without messages. */
const Order = v.object({
  petId: v.bigint(),
  status: v.optional(v.picklist(['placed', 'delivered'])),
  address: v.optional(v.object({ city: v.string() })),
  notes: v.optional(v.array(v.pipe(v.string(), v.maxLength(3)))),
});

describe('parse', () => {
  it('names every invalid field with its first problem', () => {
    expect(() => parse(Names, { first: 'a', last: 1, other: 'b' }, 'invalid_query')).toThrow(
      expect.objectContaining({
        name: 'ApiError',
        code: 'invalid_query',
        message: 'first is short. last is not text. other is short.',
        details: { invalid: 'first, last, other' },
      }),
    );
  });

  it.each([
    [{}, 'petId is required.', 'petId'],
    [{ petId: '1' }, 'petId is invalid: expected bigint.', 'petId'],
    [{ petId: 1n, status: 'lost' }, 'status must be one of placed, delivered.', 'status'],
    [{ petId: 1n, address: 'Bern' }, 'address must be a JSON object.', 'address'],
    [{ petId: 1n, notes: ['long'] }, 'notes.0 is invalid: expected <=3.', 'notes.0'],
  ])('describes the problem with %o', (body, message, invalid) => {
    const error = new ApiError('invalid_body', message, { details: { invalid } });
    expect(() => parse(Order, body, 'invalid_body')).toThrow(error);
  });

  it.each([[null], ['Bella'], [[]], [[{ petId: 1n }]]])('rejects %o in place of an object', (body) => {
    const Pair = v.object({ one: v.string(), other: v.string() });

    const error = expect.objectContaining({ message: 'The body must be a JSON object.' });
    expect(() => parse(Pair, body, 'invalid_body')).toThrow(error);
  });

  it('says what is wrong with the body as a whole', () => {
    const isDay = (day: { from: number; to: number }) => day.from < day.to;
    const Day = v.pipe(v.object({ from: v.number(), to: v.number() }), v.check(isDay, 'must end later'));

    const error = expect.objectContaining({ message: 'The body must end later.' });
    expect(() => parse(Day, { from: 2, to: 1 }, 'invalid_body')).toThrow(error);
  });

  it.each([
    [['on-hold', 'sold out', '"new"'], 'status must be one of on-hold, sold out, "new".'],
    [['only one'], 'status must be one of only one.'],
  ])('lists the values %j as they are', (values, message) => {
    const schema = v.object({ status: v.picklist(values) });

    const error = expect.objectContaining({ message });
    expect(() => parse(schema, { status: 'lost' }, 'invalid_body')).toThrow(error);
  });
});
