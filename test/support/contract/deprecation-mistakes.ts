import type { Operation } from '../../../shared/contract/operation.ts';

type Described = Pick<Operation, 'path' | 'deprecation'>;

/** Returns what is wrong with the deprecations of operations, whatever the date is. */
export function deprecationMistakes(operations: Readonly<Record<string, Described>>): readonly string[] {
  const all = Object.entries(operations);
  return all.flatMap(([id, { deprecation }]) => {
    if (!deprecation) return [];
    const { since, sunset, successor } = deprecation;
    const malformed = Object.entries({ since, sunset }).filter(([, text]) => !isInstant(text));
    if (malformed.length > 0) {
      return malformed.map(([name]) => `${id}: ${name} must be an instant such as 2030-12-05T00:00:00Z.`);
    }
    const successors = all.filter(([other, { path }]) => path === successor && other !== id);
    const lives = successors.some(
      ([, { deprecation: end }]) => !end || Date.parse(end.sunset) > Date.parse(sunset),
    );
    return [
      ...(sunset < aYearAfter(since)
        ? [`${id}: sunset must be ${aYearAfter(since)} or later, a year after since.`]
        : []),
      ...(successor === undefined || lives
        ? []
        : [`${id}: successor must be the path of another operation, which ends later or never.`]),
      ...(successor?.includes('{') ? [`${id}: successor may not have a parameter in its path.`] : []),
    ];
  });
}

/** Whether a text is an instant in UTC, without fractions of a second, which no header has. */
const isInstant = (text: string) =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(text) &&
  !Number.isNaN(Date.parse(text)) &&
  new Date(text).toISOString() === text.replace('Z', '.000Z');

/** Returns the same instant of the next year, or of 1 March after a 29 February. */
function aYearAfter(instant: string): string {
  const date = new Date(instant);
  date.setUTCFullYear(date.getUTCFullYear() + 1);
  return date.toISOString().replace('.000Z', 'Z');
}
