import { expect, it } from 'vitest';
import { checkColumns } from '../columns.ts';

const options = { ignoreUnknown: false, newIds: false };

/** Checks rows with these columns, `title` renamed to `name`. */
function check(lists: readonly string[], changed: Partial<typeof options>): void {
  const rows = lists.map((list) => list.split(',').map((column) => [column, 1] as const));
  const map = new Map([['title', 'name']]);
  checkColumns(
    rows.map((cells) => ({ line: 1, cells })),
    { ...options, ...changed, map },
  );
}

it.each([
  [['title,categoryId', 'title,categoryId,status'], {}],
  [['title', 'categoryId'], {}],
  [['title,categoryId,rejected'], {}],
  [['title,unforeseen,unforeseen,categoryId'], { ignoreUnknown: true }],
  [['id,title,categoryId'], { newIds: true }],
  [[], {}],
])('accepts the columns %j', (lists, changed) => {
  expect(() => check(lists, changed)).not.toThrow();
});

it('accepts a file of which no row can be read, so that each row is rejected with its reason', () => {
  const unreadable = { reason: 'The line must be a JSON object.', text: 'null' };
  const rows = [{ line: 1, cells: [], unreadable }];

  expect(() => checkColumns(rows, { ...options, map: new Map([['title', 'name']]) })).not.toThrow();
});

const hasIds =
  'The rows have ids, as in an export, and each import of it creates other pets. If you want that, pass --new-ids.';

it.each([
  [
    ['Name,category id'],
    {},
    'Unknown columns: Name, category id. Pass --map column=field or --ignore-unknown.',
  ],
  [['status'], {}, 'Missing columns: name, categoryId.'],
  [['Title,categoryId'], { ignoreUnknown: true }, 'Missing columns: name.'],
  [['name,title,categoryId'], {}, 'Two columns name the same field.'],
  [['title,categoryId', 'id,title,categoryId'], { ignoreUnknown: true }, hasIds],
])('rejects the columns %j', (lists, changed, message) => {
  expect(() => check(lists, changed)).toThrow(new Error(message));
});
