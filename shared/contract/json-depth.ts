const levels: Readonly<Record<string, number>> = { '[': 1, '{': 1, ']': -1, '}': -1 };

/**
 * Whether arrays and objects are nested deeper than a limit in a JSON text, well-formed or not. It reads the text once,
 * so that a text can be rejected before it is parsed: the parser's own limit depends on the remaining stack space.
 */
export function isNestedDeeperThan(limit: number, text: string): boolean {
  let depth = 0;
  let isInString = false;
  for (let index = 0; index < text.length; index += 1) {
    const character = text.charAt(index);
    if (character === '"') isInString = !isInString;
    else if (!isInString) depth += levels[character] ?? 0;
    else if (character === '\\') index += 1;
    if (depth > limit) return true;
  }
  return false;
}
