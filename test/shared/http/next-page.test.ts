import { expect, expectTypeOf, it } from 'vitest';
import type { NextPage } from '../../../shared/contract/schemas/next-page-target.ts';
import { decodeCursor } from '../../../shared/contract/schemas/page-cursor.ts';
import { nextPageLink } from '../../../shared/http/next-page.ts';
import { eventOf } from '../../support/functions/invoke.ts';

const path = '/owners/{ownerId}/pets/{year}';
const filter = { ownerId: 'a/$&b', year: 2026n, colour: 'black & white', size: undefined };

/** Returns the parts of the link to a next page. */
function linkAfter(next: string) {
  const { Link } = nextPageLink(eventOf(), path, { limit: 7, filter, next });
  const [, url = '', rest] = /^<(.*)>(.*)$/.exec(Link ?? '') ?? [];
  const { origin, pathname, searchParams } = new URL(url);
  const { cursor, ...query } = Object.fromEntries(searchParams);
  return { base: origin + pathname, query, cursor: cursor ?? '', rest };
}

it('a list below something links to its next page at the same path', () => {
  const { base, query, rest } = linkAfter('12');

  expect(base).toBe('https://pets.example/v1/owners/a%2F%24%26b/pets/2026');
  expect(query).toEqual({ limit: '7', colour: 'black & white' });
  expect(rest).toBe('; rel="next"');
});

it.each([
  ['value of the path', { ownerId: 'other' }],
  ['number in the path', { year: 2027n }],
  ['value of a filter', { colour: 'brown' }],
  ['filter', { size: '1' }],
])('the cursor of the link is valid for no other %s', (_title, other) => {
  const { cursor } = linkAfter('12');

  expect(decodeCursor(cursor, filter)).toBe('12');
  expect(() => decodeCursor(cursor, { ...filter, ...other })).toThrow('cursor must come from a Link header');
});

it('the last page has no link', () => {
  expect(nextPageLink(eventOf(), path, { limit: 7, filter, next: undefined })).toEqual({});
});

it('a handler cannot forget a parameter of the path', () => {
  type FilterOf<Path extends string> = NextPage<Path>['filter'];

  expectTypeOf<{ ownerId: string }>().toExtend<FilterOf<'/owners/{ownerId}/pets'>>();
  expectTypeOf<{ colour: string }>().not.toExtend<FilterOf<'/owners/{ownerId}/pets'>>();
  expectTypeOf<{ colour: string }>().toExtend<FilterOf<'/pets'>>();
});
