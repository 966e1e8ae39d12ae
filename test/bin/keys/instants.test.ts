import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatInstant, parseDuration, parseExpiry } from '../../../bin/keys/instants.ts';
import { OperatorError } from '../../../bin/keys/operator-error.ts';

const now = Date.parse('2026-11-20T12:00:00Z') / 1000;

describe('parseDuration', () => {
  it.each([
    ['0s', 0],
    ['90s', 90],
    ['15m', 900],
    ['36h', 129_600],
    ['07d', 604_800],
    ['90d', 7_776_000],
  ])('takes %s for %i seconds', (text, seconds) => {
    expect(parseDuration(text)).toBe(seconds);
  });

  it.each(['', '90', 'd', '-1d', '1.5d', '90 d', ' 90d', '90D', '1w', '1h30m', '٩d'])(
    'refuses %j',
    (text) => {
      expect(() => parseDuration(text)).toThrow(
        new OperatorError(`"${text}" is no duration: write a whole number and s, m, h or d, such as 90d.`),
      );
    },
  );

  it('refuses a duration whose end no date can tell', () => {
    expect(() => parseDuration('36500d')).not.toThrow();
    expect(() => parseDuration('36501d')).toThrow(OperatorError);
  });
});

describe('parseExpiry', () => {
  it('takes a duration from now on', () => {
    expect(formatInstant(parseExpiry('90d', now))).toBe('2027-02-18T12:00:00Z');
  });

  it('takes a date for the start of that day in UTC', () => {
    fc.assert(
      fc.property(day({ min: '2026-11-21', max: '9999-12-31' }), (text) => {
        expect(formatInstant(parseExpiry(text, now))).toBe(`${text}T00:00:00Z`);
      }),
    );
  });

  it.each(['2027-02-29', '2027-02-30', '2028-02-30', '2027-04-31', '2027-13-01', '2027-00-10', '2027-01-00'])(
    'refuses %s, which no calendar has',
    (text) => {
      expect(() => parseExpiry(text, now)).toThrow(
        new OperatorError(`${text} is no date: write one such as 2027-06-30.`),
      );
    },
  );

  it('takes 29 February of a leap year', () => {
    expect(formatInstant(parseExpiry('2028-02-29', now))).toBe('2028-02-29T00:00:00Z');
  });

  it.each(['0s', '0d', '2026-11-20', '2026-11-19', '0001-01-01'])(
    'refuses %s, which is not to come',
    (text) => {
      expect(() => parseExpiry(text, now)).toThrow(
        new OperatorError(`${text} is not in the future: a key can't expire before it is issued.`),
      );
    },
  );

  it('refuses the very instant at which it is asked', () => {
    const midnight = Date.parse('2027-06-30T00:00:00Z') / 1000;

    expect(() => parseExpiry('2027-06-30', midnight)).toThrow(OperatorError);
    expect(parseExpiry('2027-06-30', midnight - 1)).toBe(midnight);
  });

  it.each(['', '2027-6-30', '30-06-2027', '2027-06-30T00:00:00Z', 'tomorrow'])('refuses %j', (text) => {
    expect(() => parseExpiry(text, now)).toThrow(OperatorError);
  });

  it('takes any text for an instant to come that a date can tell, or refuses it', () => {
    const duration = fc
      .tuple(fc.nat(9_999_999_999), fc.constantFrom('s', 'm', 'h', 'd'))
      .map(([count, unit]) => `${count}${unit}`);

    fc.assert(
      fc.property(fc.oneof(duration, day({ min: '0001-01-01', max: '9999-12-31' }), fc.string()), (text) => {
        const expiresAt = unlessRefused(() => parseExpiry(text, now));

        if (expiresAt === undefined) return;
        expect(expiresAt).toBeGreaterThan(now);
        expect(Date.parse(formatInstant(expiresAt))).toBe(expiresAt * 1000);
      }),
      { numRuns: 300 },
    );
  });
});

/** The days from one to another, as an operator writes them. */
function day({ min, max }: { min: string; max: string }): fc.Arbitrary<string> {
  return fc
    .date({ min: new Date(min), max: new Date(max), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10));
}

/** What a function gives; undefined when it tells the operator what is wrong. */
function unlessRefused<T>(parse: () => T): T | undefined {
  try {
    return parse();
  } catch (error) {
    if (error instanceof OperatorError) return undefined;
    throw error;
  }
}
