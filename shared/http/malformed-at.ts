const space = /[\t\n\r ]*/y;
// Any character from the space on but a quote and a backslash.
const stringToken = /"(?:[ !#-[\]-\uffff]|\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4}))*"/y;
const otherToken = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
const structure = { '[': /\[/y, ']': /\]/y, '{': /\{/y, '}': /\}/y, ':': /:/y, ',': /,/y };

/**
 * Returns where JSON stops being well-formed, such as `line 1, column 2`: at the first token that cannot
 * follow, or undefined if it is well-formed. The messages of `JSON.parse` give no position for most tokens,
 * and quote the JSON. Bound its depth first.
 */
export function malformedAt(json: string): string | undefined {
  const { length, isWhole } = wellFormedStart(json);
  if (isWhole) return undefined;
  const lines = json.slice(0, length).split('\n');
  return `line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`;
}

/**
 * Returns the length of the longest start of a text whose tokens can begin JSON, and whether it is all of the
 * JSON. Bound its depth first.
 */
export function wellFormedStart(json: string): { readonly length: number; readonly isWhole: boolean } {
  let length = 0;
  const advance = (token: RegExp): boolean => {
    token.lastIndex = length;
    const isNext = token.test(json);
    if (isNext) length = token.lastIndex;
    return isNext;
  };
  const accept = (token: RegExp) => advance(space) && advance(token);

  const acceptElements = (acceptElement: () => boolean, end: RegExp): boolean => {
    if (accept(end)) return true;
    do {
      if (!acceptElement()) return false;
    } while (accept(structure[',']));
    return accept(end);
  };
  const acceptMember = () => accept(stringToken) && accept(structure[':']) && acceptValue();
  const acceptValue = (): boolean => {
    if (accept(structure['['])) return acceptElements(acceptValue, structure[']']);
    if (accept(structure['{'])) return acceptElements(acceptMember, structure['}']);
    return accept(stringToken) || accept(otherToken);
  };

  const isValue = acceptValue();
  advance(space);
  return { length, isWhole: isValue && length === json.length };
}
