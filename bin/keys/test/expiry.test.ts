import { beforeEach, describe, expect, it, vi } from 'vitest';
import { formatInstant, parseExpiry } from '../expiry.ts';

const now = Date.parse('2026-11-20T12:00:00Z') / 1000;

beforeEach(() => {
  vi.useFakeTimers({ now: now * 1000, toFake: ['Date'] });
});

describe('parseExpiry', () => {
  it.each([
    ['1s', '2026-11-20T12:00:01Z'],
    ['15m', '2026-11-20T12:15:00Z'],
    ['07h', '2026-11-20T19:00:00Z'],
    ['999999d', '4764-10-16T12:00:00Z'],
    ['2027-06-30', '2027-06-30T00:00:00Z'],
  ])('parses %s as %s', (text, instant) => {
    expect(formatInstant(parseExpiry(text))).toBe(instant);
  });

  it.each(['', '90', 'd', '-1d', '90D', '1h30m', '1000000s', '2027-06-30T00:00:00Z'])(
    'rejects "%s", which is neither a date nor a duration',
    (text) => {
      const message = `"${text}" is not valid: use a date such as 2027-06-30, a duration such as 90d, or never.`;

      expect(() => parseExpiry(text)).toThrow(new Error(message));
    },
  );

  it.each(['2027-02-29', '2027-04-31', '2027-13-01'])('rejects %s, which no calendar has', (text) => {
    expect(() => parseExpiry(text)).toThrow(new Error(`${text} is not a date: use YYYY-MM-DD.`));
  });

  it.each(['0s', '2026-11-20', '0001-01-01'])('rejects %s, which is not in the future', (text) => {
    const message = `${text} is not in the future: a key cannot expire before it is issued.`;

    expect(() => parseExpiry(text)).toThrow(new Error(message));
  });
});

describe('formatInstant', () => {
  it.each([
    [undefined, null],
    [8_640_000_000_000, '+275760-09-13T00:00:00Z'],
    [8_640_000_000_001, '@8640000000001'],
    [-9_223_372_036_854_776_000, '@-9223372036854776000'],
  ])('formats %s as %s', (seconds, text) => {
    expect(formatInstant(seconds)).toBe(text);
  });
});
