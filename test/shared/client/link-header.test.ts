import { expect, it } from 'vitest';
import { linkTarget } from '../../../shared/client/link-header.ts';

it.each([
  ['</b> ; REL = "NEXT"'],
  ['</b>; title="one, </a>; rel=x"; rel="next"'],
  ['</b>; title="\\"; rel=prev; \\""; rel="next"'],
  ['</b>; crossorigin; rel="last next"; hreflang=en'],
  ['</a>; rel=prev, </b>; rel=next'],
  ['</a>; rel="successor-version",, </b>; rel=next, </c>; rel=next'],
  ['</a>; rel=next; anchor="/other", </b>; rel=next'],
  ['</b>; rel="next'],
])('linkTarget finds the next link in %s', (header) => {
  expect(linkTarget(header, 'next')).toBe('/b');
});

it.each(['', '</a>; rel=nextpage', '</a>; rel=prev; rel=next', '</a>; title="; rel=next"', 'rel=next'])(
  'linkTarget finds no next link in "%s"',
  (header) => {
    expect(linkTarget(header, 'next')).toBeUndefined();
  },
);
