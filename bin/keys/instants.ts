import { OperatorError } from './operator-error.ts';

const secondsPer = { s: 1, m: 60, h: 60 * 60, d: 24 * 60 * 60 } as const;

/** Beyond it lies, further on, the end of the dates of JavaScript. */
const longest = 100 * 365 * secondsPer.d;

/**
 * A duration such as `90d`, in seconds.
 *
 * @throws {OperatorError} unless it is a whole number followed by s, m, h or d, or longer than 100 years
 */
export function parseDuration(text: string): number {
  const { count, unit } = /^(?<count>\d{1,9})(?<unit>[smhd])$/.exec(text)?.groups ?? {};
  if (count === undefined || !isUnit(unit)) {
    throw new OperatorError(`"${text}" is no duration: write a whole number and s, m, h or d, such as 90d.`);
  }
  const seconds = Number(count) * secondsPer[unit];
  if (seconds > longest)
    throw new OperatorError(`"${text}" is longer than 100 years: leave it out for no end.`);
  return seconds;
}

/**
 * The instant that a key expires at, in seconds since 1970: after a duration, or when a day starts in UTC, such as
 * 2027-06-30.
 *
 * @throws {OperatorError} unless it is one of both, and to come
 */
export function parseExpiry(text: string, now: number): number {
  const expiresAt = /^\d{4}-\d{2}-\d{2}$/.test(text) ? parseDay(text) : now + parseDuration(text);
  if (expiresAt <= now)
    throw new OperatorError(`${text} is not in the future: a key can't expire before it is issued.`);
  return expiresAt;
}

function parseDay(text: string): number {
  const day = new Date(`${text}T00:00:00Z`);
  // JavaScript takes 30 February for 2 March.
  if (Number.isNaN(day.getTime()) || !day.toISOString().startsWith(text)) {
    throw new OperatorError(`${text} is no date: write one such as 2027-06-30.`);
  }
  return day.getTime() / 1000;
}

/** An instant in ISO 8601, from seconds since 1970. */
export function formatInstant(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace('.000Z', 'Z');
}

const isUnit = (unit: string | undefined): unit is keyof typeof secondsPer =>
  unit !== undefined && unit in secondsPer;
