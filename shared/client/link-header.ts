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
    const parameters = parametersOf(text);
    const relations = parameters.get('rel')?.toLowerCase().split(/\s/) ?? [];
    if (relations.includes(relation) && !parameters.has('anchor')) return target;
  }
  return undefined;
}

/** Returns the parameters of a link by name. Only the first with a name counts. */
function parametersOf(text: string): ReadonlyMap<string, string> {
  const parameters = new Map<string, string>();
  for (const [, name = '', quoted, token = ''] of text.matchAll(parameterPattern)) {
    const key = name.toLowerCase();
    if (!parameters.has(key)) parameters.set(key, quoted?.replaceAll(/\\(.)/g, '$1') ?? token);
  }
  return parameters;
}
