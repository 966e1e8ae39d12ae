import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatInstant, parseExpiry } from '../../../bin/keys/instants.ts';
import { OperatorError } from '../../../bin/keys/operator-error.ts';

const now = Date.parse('2026-11-20T12:00:00Z') / 1000;

describe('an expiry', () => {
  it.each([
    ['1s', '2026-11-20T12:00:01Z'],
    ['15m', '2026-11-20T12:15:00Z'],
    ['36h', '2026-11-22T00:00:00Z'],
    ['07d', '2026-11-27T12:00:00Z'],
    ['36500d', '2126-10-27T12:00:00Z'],
    ['2027-06-30', '2027-06-30T00:00:00Z'],
  ])('of %s is at %s', (text, instant) => {
    expect(formatInstant(parseExpiry(text, now))).toBe(instant);
  });

  it.each([
    ...['', '90', 'd', '-1d', '90D', '1h30m', '2027-6-30', '2027-06-30T00:00:00Z'].map((text) => [
      text,
      `"${text}" is no duration: write a whole number and s, m, h or d, such as 90d.`,
    ]),
    ['36501d', '"36501d" is longer than 100 years: leave it out for no end.'],
    ...['2027-02-29', '2027-04-31', '2027-13-01'].map((text) => [
      text,
      `${text} is no date: write one such as 2027-06-30.`,
    ]),
    ...['0s', '2026-11-20', '0001-01-01'].map((text) => [
      text,
      `${text} is not in the future: a key can't expire before it is issued.`,
    ]),
  ])('of "%s" is refused', (text = '', message) => {
    expect(() => parseExpiry(text, now)).toThrow(new OperatorError(message));
  });

  it('of any text is an instant to come that a date can tell, or refused', () => {
    const days = fc
      .date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
      .map((date) => date.toISOString().slice(0, 10));
    const durations = fc
      .tuple(fc.nat(9_999_999_999), fc.constantFrom('s', 'm', 'h', 'd'))
      .map(([count, unit]) => `${count}${unit}`);

    fc.assert(
      fc.property(fc.oneof(durations, days, fc.string()), (text) => {
        try {
          const expiresAt = parseExpiry(text, now);

          expect(expiresAt).toBeGreaterThan(now);
          expect(Date.parse(formatInstant(expiresAt))).toBe(expiresAt * 1000);
        } catch (error) {
          if (!(error instanceof OperatorError)) throw error;
        }
      }),
    );
  });
});
