import * as v from 'valibot';
import { expect, it } from 'vitest';
import { jsonSchemaOf } from '../schemas.ts';

it.each([
  ['a date', v.isoDate(), '2026-02-31'],
  ['a date with a time', v.isoDateTime(), '2026-02-31T10:00'],
  ['a time', v.isoTime(), '10:00'],
  ['a timestamp', v.isoTimestamp(), '2026-02-31T10:00:00.000Z'],
])('publishes no format of %s, which accepts more', (_title, action, accepted) => {
  const schema = v.pipe(v.string(), action);

  expect(v.is(schema, accepted)).toBe(true);
  expect(jsonSchemaOf(schema)).toEqual({ type: 'string' });
});
