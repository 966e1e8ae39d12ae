import { nowInSeconds } from '../../shared/tables/stored-item.ts';

const secondsPer: Readonly<Record<string, number>> = { s: 1, m: 60, h: 60 * 60, d: 24 * 60 * 60 };

const durations = 'at most six digits and s, m, h or d, such as 90d';

/** Parses a duration such as `90d` into seconds. The error lists the `accepted` forms. */
export function parseDuration(text: string, accepted = durations): number {
  const [, count, unit = ''] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  const seconds = Number(count) * (secondsPer[unit] ?? Number.NaN);
  if (!Number.isNaN(seconds)) return seconds;
  throw new Error(`"${text}" is not valid: use ${accepted}.`);
}

const expiries = 'a date such as 2027-06-30, a duration such as 90d, or never';

/** Parses an expiry into seconds since 1970: `90d`, `2027-06-30` (midnight UTC) or `never`. */
export function parseExpiry(text: string): number | undefined {
  if (text === 'never') return undefined;
  const now = nowInSeconds();
  const expiresAt = /^\d{4}-\d{2}-\d{2}$/.test(text) ? parseDate(text) : now + parseDuration(text, expiries);
  if (expiresAt > now) return expiresAt;
  throw new Error(`${text} is not in the future: a key cannot expire before it is issued.`);
}

function parseDate(text: string): number {
  const date = new Date(`${text}T00:00:00Z`);
  // JavaScript reads 30 February as 2 March.
  if (!Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)) return date.getTime() / 1000;
  throw new Error(`${text} is not a date: use YYYY-MM-DD.`);
}

/**
 * Formats an instant, in seconds since 1970, as ISO 8601. Returns null without one, and a number such as
 * `@9007199254740991` for one that JavaScript's dates cannot express.
 */
export function formatInstant(seconds?: number): string | null {
  if (seconds === undefined) return null;
  const date = new Date(seconds * 1000);
  return Number.isNaN(date.getTime()) ? `@${seconds}` : date.toISOString().replace('.000Z', 'Z');
}
