import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { checkColumns } from '../../../bin/catalogue/columns.ts';

/** Checks rows with these columns, `title` renamed to `name`. */
function check(lists: readonly string[], ignoreUnknown: boolean) {
  const rows = lists.map((list) => list.split(',').map((column) => [column, 1] as const));
  const map = new Map([['title', 'name']]);
  return checkColumns(Readable.from(rows.map((cells) => ({ line: 1, cells }))), map, ignoreUnknown);
}

it.each([
  [['title,categoryId', 'id,title,categoryId,status'], false, { rowCount: 2, hasIds: true }],
  [['title', 'categoryId'], false, { rowCount: 2, hasIds: false }],
  [['title,categoryId,rejected'], false, { rowCount: 1, hasIds: false }],
  [['title,unforeseen,unforeseen,categoryId'], true, { rowCount: 1, hasIds: false }],
  [[], false, { rowCount: 0, hasIds: false }],
])('accepts the columns %j', async (lists, ignoreUnknown, result) => {
  expect(await check(lists, ignoreUnknown)).toEqual(result);
});

it('accepts a file of which no row can be read, so that each row is rejected with its reason', async () => {
  const rows = Readable.from([{ line: 1, cells: [], reason: 'The line must be a JSON object.' }]);

  const result = await checkColumns(rows, new Map([['title', 'name']]), false);

  expect(result).toEqual({ rowCount: 1, hasIds: false });
});

it.each([
  [
    ['Name,category id'],
    false,
    'Unknown columns: Name, category id. Pass --map column=field or --ignore-unknown.',
  ],
  [['id', 'status'], false, 'Missing columns: name, categoryId.'],
  [['Title,categoryId'], true, 'Missing columns: name.'],
  [['name,title,categoryId'], true, 'Two columns name the same field.'],
])('rejects the columns %j', async (lists, ignoreUnknown, message) => {
  await expect(check(lists, ignoreUnknown)).rejects.toThrow(new Error(message));
});
