const foreignPlaces = ['node:', 'node_modules/', 'infra/local/'];

/** Removes the stack frames of Node, packages and the local API. */
export const withoutForeignFrames = (text: string): string =>
  text
    .split('\n')
    .filter((line) => !(line.startsWith('    at ') && isForeign(line)))
    .join('\n');

/** A frame without a file, such as `at new Promise (<anonymous>)`, is foreign too. */
const isForeign = (frame: string) =>
  !frame.includes('/') || foreignPlaces.some((place) => frame.includes(place));
