import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { linkTarget } from '../../../shared/client/link-header.ts';

describe('linkTarget', () => {
  it.each([
    ['</b> ; REL = "NEXT"'],
    ['</b>; title="one, </a>; rel=x"; rel="next"'],
    ['</b>; title="\\"; rel=prev; \\""; rel="next"'],
    ['</b>; crossorigin; rel="last next"; hreflang=en'],
    ['</a>; rel=prev, </b>; rel=next'],
    ['</a>; rel="successor-version",, </b>; rel=next, </c>; rel=next'],
    ['</a>; rel=next; anchor="/other", </b>; rel=next'],
    ['</b>; rel="next'],
  ])('finds the next link in %s', (header) => {
    expect(linkTarget(header, 'next')).toBe('/b');
  });

  it.each(['', '</a>; rel=nextpage', '</a>; rel=prev; rel=next', '</a>; title="; rel=next"', 'rel=next'])(
    'finds none in "%s"',
    (header) => {
      expect(linkTarget(header, 'next')).toBeUndefined();
    },
  );

  it('finds a link among any others, its parameters in any order', () => {
    const quoted = fc.string().map((text) => `"${text.replaceAll(/["\\]/g, '\\$&')}"`);
    const parameter = fc
      .tuple(fc.constantFrom('title', 'type', 'media'), quoted)
      .map((pair) => pair.join('='));
    const others = fc.array(parameter.map((text) => `</a>; rel=prev; ${text}`));
    const parameters = fc.array(parameter, { maxLength: 3 });

    fc.assert(
      fc.property(others, parameters, parameters, others, (before, left, right, after) => {
        const link = ['</b>', ...left, 'rel=next', ...right].join('; ');

        expect(linkTarget([...before, link, ...after].join(', '), 'next')).toBe('/b');
      }),
    );
  });
});
