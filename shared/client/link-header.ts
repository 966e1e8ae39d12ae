/** A link with its parameters; in these, a quoted string may contain what otherwise ends a link. */
const linkPattern = /<([^<>]*)>((?:[^",<]|"(?:[^"\\]|\\.)*(?:"|$))*)/g;

const parameterPattern = /;\s*([^\s=;"]+)\s*(?:=\s*(?:"((?:[^"\\]|\\.)*)|([^\s;"]*)))?/g;

/**
 * Returns the target of the first link with a relation in a `Link` header, which may be a relative URL
 * (RFC 8288 §3). Links with an `anchor` are about another resource.
 *
 * @example
 * ```ts
 * linkTarget('</a>; rel=prev, </b>; title="1, 2"; rel="last next"', 'next'); // '/b'
 * ```
 */
export function linkTarget(header: string, relation: string): string | undefined {
  for (const [, target, text = ''] of header.matchAll(linkPattern)) {
    const parameters = [...text.toLowerCase().matchAll(parameterPattern)];
    // Of several parameters with one name, the first counts.
    const values = new Map(parameters.reverse().map(([, name, quoted, token]) => [name, quoted ?? token]));
    const relations = values.get('rel')?.split(/\s/) ?? [];
    if (relations.includes(relation) && !values.has('anchor')) return target;
  }
  return undefined;
}
