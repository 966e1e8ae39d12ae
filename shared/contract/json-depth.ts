/** How deep the arrays and objects of a body may be nested. */
export const maxBodyDepth = 32;

const levels: Readonly<Record<string, number>> = { '[': 1, '{': 1, ']': -1, '}': -1 };

/**
 * Whether arrays and objects are nested deeper than a limit in a JSON text, well-formed or not. It reads the text once,
 * so that a text can be refused before it is parsed: the parser's own limit depends on the stack that is left.
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
