import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { projectRoot } from '../../../infra/project-root.ts';
import { withoutForeignFrames } from '../own-frames.ts';

const withoutForeign = (text: string) => withoutForeignFrames(text, projectRoot);

it("leaves only the project's frames", () => {
  const stack =
    'Error: Outer\n    at ut (functions/list-pets.ts:1:2)\n    at async e (node_modules/x/y.js:3:4)\n    at node:events:5:6\n    at <anonymous>';

  expect(withoutForeign(stack)).toBe('Error: Outer\n    at ut (functions/list-pets.ts:1:2)');
});

it('leaves out the path of the project', () => {
  const stack = `Error\n    at e (${projectRoot}shared/a.ts:1:2)\n    at ${pathToFileURL(projectRoot)}shared/b.ts:1:2`;

  expect(withoutForeign(stack)).toBe('Error\n    at e (shared/a.ts:1:2)\n    at shared/b.ts:1:2');
});

it('names the place of mapped code without the name that it lacks', () => {
  const stack = 'Error\n    at <anonymous> (infra/app.ts:1:2)\n    at <anonymous> (node_modules/x/y.js:3:4)';

  expect(withoutForeign(stack)).toBe('Error\n    at infra/app.ts:1:2');
});

it('leaves the cause of an error in its braces', () => {
  const text = [
    'Error: outer',
    '    at handler (functions/get-pet.ts:9:7)',
    '    at run (node:internal/run:1:2) {',
    '  [cause]: Error: inner',
    '      at handler (functions/get-pet.ts:8:7)',
    '      at run (node:internal/run:1:2)',
    '}',
  ].join('\n');

  expect(withoutForeign(text)).toBe(
    [
      'Error: outer',
      '    at handler (functions/get-pet.ts:9:7) {',
      '  [cause]: Error: inner',
      '      at handler (functions/get-pet.ts:8:7)',
      '}',
    ].join('\n'),
  );
});

it('shows the first ten frames of a recursion', () => {
  const stack = (count: number) =>
    `RangeError: Too deep${'\n    at visit (functions/tree.ts:1:2)'.repeat(count)}`;

  expect(withoutForeign(`${stack(100)}\nCaused by: ${stack(11)}`)).toBe(
    `${stack(10)}\nCaused by: ${stack(10)}`,
  );
});
