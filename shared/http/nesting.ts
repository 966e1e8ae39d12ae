const strings = /"(?:[^"\\]|\\.)*"?/gs;

const levels: Readonly<Record<string, number>> = { '[': 1, '{': 1, ']': -1, '}': -1 };

/** Returns whether JSON text, even malformed, exceeds a nesting limit, before a parser could overflow. */
export function isNestedDeeperThan(limit: number, text: string): boolean {
  let depth = 0;
  for (const character of text.replaceAll(strings, '')) {
    depth += levels[character] ?? 0;
    if (depth > limit) return true;
  }
  return false;
}
