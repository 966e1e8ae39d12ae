import { NewPet } from '../../shared/contract/schemas/pet.ts';

/** A field of a pet, as the API calls it. */
export type Field = keyof typeof NewPet.entries;

/** The field that a column of a catalogue is, by the column's name; undefined leaves the column out. */
export type FieldMap = ReadonlyMap<string, Field | undefined>;

const fields = Object.keys(NewPet.entries).filter((name): name is Field => name in NewPet.entries);
const fieldList = fields.join(', ');

/**
 * Adds a pair such as `title=name`, or `title=` for a column to be left out, to a map.
 *
 * @throws {Error} when it is no such pair, or the column has been given before
 */
export function addToMap(pair: string, map: FieldMap): FieldMap {
  const [, column = '', name] = /^(.+)=([^=]*)$/su.exec(pair) ?? [];
  if (name === undefined) throw new Error('It must be column=field, or column= to leave a column out.');
  if (map.has(column)) throw new Error(`The column ${column} is given twice.`);
  const field = fields.find((candidate) => candidate === name);
  if (name !== '' && field === undefined) {
    throw new Error(`A pet has no field ${name}: its fields are ${fieldList}.`);
  }
  return new Map([...map, [column, field]]);
}

/** The field that a column is; undefined when it is none, and is ignored. */
export function fieldOf(column: string, map: FieldMap): Field | undefined {
  return map.has(column) ? map.get(column) : fields.find((field) => field === column);
}

/**
 * Checks the columns of a catalogue against a map: what could be meant otherwise is not guessed at.
 *
 * @throws {Error} naming the columns that the map has and the catalogue has not, that mean the same field, or that look
 * like a field and are none
 */
export function checkColumns(columns: readonly string[], map: FieldMap): void {
  const problems = [
    ...[...map.keys()]
      .filter((column) => !columns.includes(column))
      .map((column) => `There is no column ${column}.`),
    ...fields.flatMap((field) => sameField(field, columns, map)),
    ...columns.filter((column) => !map.has(column)).flatMap(looksLikeField),
  ];
  if (problems.length === 0) return;
  throw new Error(`${problems.join(' ')} The columns are: ${columns.slice(0, 20).join(', ')}.`);
}

function sameField(field: Field, columns: readonly string[], map: FieldMap): string[] {
  const [first, second] = columns.filter((column) => fieldOf(column, map) === field);
  if (second === undefined) return [];
  return first === second
    ? [`The column ${first} is there twice.`]
    : [`The columns ${first} and ${second} are both ${field}: leave one out with --map ${second}=.`];
}

function looksLikeField(column: string): string[] {
  const plain = plainName(column);
  const field = fields.find((candidate) => plainName(candidate) === plain && candidate !== column);
  if (field) {
    return [
      `The column ${column} looks like ${field}: say so with --map "${column}=${field}", or --map "${column}=".`,
    ];
  }
  const separator = /[;\t|]/.exec(column)?.[0];
  const parts = column.split(separator ?? ',').map(plainName);
  return separator && fields.some((candidate) => parts.includes(plainName(candidate)))
    ? [`The column ${column} is several: save the file with commas in place of ${separator}.`]
    : [];
}

const plainName = (name: string) => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
