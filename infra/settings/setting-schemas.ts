import * as v from 'valibot';
import { tables } from '../../shared/service.ts';

// Each says what is wrong with a value, after the name of its setting.

/** A record with these settings and no others. */
export const record = <const Entries extends v.ObjectEntries>(entries: Entries) => {
  const names = Object.keys(entries).join(', ');
  return v.strictObject(entries, ({ expected, received }) => {
    if (expected === 'never') return `is not a setting: choose one of ${names}`;
    return received === 'undefined' ? 'is missing' : `must be a record of ${names}`;
  });
};

/** A text of a form, without the `…` of an example in the documents. */
export const text = (form: RegExp, expected: string) => {
  const problem = `must be ${expected}`;
  return v.pipe(v.string(problem), v.excludes('…', `${problem}, without "…"`), v.regex(form, problem));
};

export const email = text(/^[^\s@]+@[^\s@]+\.[^\s@.]+$/, 'an email address');
export const webAddress = text(/^https?:\/\/[\w.-]\S*$/, 'an absolute web address');

interface Range {
  readonly min: number;
  readonly max: number;
  readonly unit?: string;
}

/** A number in a range, which may be a fraction. */
export const number = (range: Range) => inRange(range, 'number', () => true);

/** A whole number in a range. */
export const whole = (range: Range) => inRange(range, 'whole number', Number.isInteger);

function inRange({ min, max, unit = '' }: Range, kind: string, isKind: (value: number) => boolean) {
  // Only for a message: the first number that is formatted takes 30 ms.
  const text = (limit: number) => limit.toLocaleString('en', { maximumFractionDigits: 4 });
  const problem = ({ input }: { readonly input: unknown }) =>
    `is ${input}, but must be a ${kind} from ${text(min)} to ${text(max)}${unit}`;
  return v.pipe(
    v.number(problem),
    v.check((value) => value >= min && value <= max && isKind(value), problem),
  );
}

const tableIds = tables.map(({ id }) => id);

/** The id of a table. */
export const tableId = v.picklist(tableIds, `is not a setting: choose one of ${tableIds.join(', ')}`);

export const yesOrNo = v.boolean('must be true or false');
