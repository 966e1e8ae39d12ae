import { pathToFileURL } from 'node:url';

/** Also of what wraps a command of the project. */
const foreignPlaces = ['node:', 'node_modules/', 'infra/local/', 'lib/runtime.mjs', 'bin/node-24.mjs'];

/** What the CDK writes in place of the frames that it leaves out. */
const cdkSummary = /^ {4}(\.{3}.+\.{3}|\(no user code in .+\))$/;

/**
 * Removes the stack frames of Node, packages and the local API, and the path of the project. Of a recursion, each
 * frame is shown once.
 */
export const withoutForeignFrames = (text: string, root: string): string =>
  withoutRepeats(
    text
      .replaceAll(pathOf(root), '')
      .split('\n')
      .filter((line) => !(isFrame(line) && isForeign(line)) && !cdkSummary.test(line))
      // The CDK writes this in place of an unknown column.
      .map((line) => (isFrame(line) ? line.replace(/ \(:\)$/, '') : line)),
  ).join('\n');

/** The project's own path may contain the name of a foreign place. */
function pathOf(root: string): RegExp {
  const url = RegExp.escape(pathToFileURL(root).href);
  return new RegExp(`(?<=^|[ (])(${url}|(?:file:)?${RegExp.escape(root)})`, 'gm');
}

const isFrame = (line: string) => line.startsWith('    at ');

/** A frame without a file, such as `at new Promise (<anonymous>)`, is foreign too. */
const isForeign = (frame: string) =>
  !frame.includes('/') || foreignPlaces.some((place) => frame.includes(place));

/** Replaces the frames that are already in the same stack by their number. */
function withoutRepeats(lines: readonly string[]): string[] {
  const shown: string[] = [];
  const stack = new Set<string>();
  let repeats = 0;
  function showRepeats(): void {
    if (repeats > 0) shown.push(`    … ${repeats} more`);
    repeats = 0;
  }

  for (const line of lines) {
    if (stack.has(line)) {
      repeats += 1;
      continue;
    }
    showRepeats();
    shown.push(line);
    if (isFrame(line)) stack.add(line);
    else stack.clear();
  }
  showRepeats();
  return shown;
}
