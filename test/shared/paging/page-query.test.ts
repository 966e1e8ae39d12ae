import { expect, it } from 'vitest';
import { nextPageLink } from '../../../shared/paging/page-query.ts';

const url = 'https://parts.example/v1/machines/a%2Fb/parts';
const query = { limit: 7, cursor: 'current', colour: 'black & white', weight: 2026n, size: undefined };

it('a page links to the next one with the same query', () => {
  expect(nextPageLink(url, query, 'next')).toEqual({
    Link: `<${url}?limit=7&colour=black+%26+white&weight=2026&cursor=next>; rel="next"`,
  });
});

it('the last page has no link', () => {
  expect(nextPageLink(url, query, undefined)).toEqual({});
});
