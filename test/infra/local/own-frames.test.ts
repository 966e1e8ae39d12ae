import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { withoutForeignFrames } from '../../../infra/local/own-frames.ts';
import { projectRoot } from '../../../infra/project-root.ts';

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

it('shows each frame of a recursion once', () => {
  const frame = (name: string) => `    at ${name} (functions/tree.ts:1:2)`;
  const recursion = ['visit', 'leave', 'visit', 'leave', 'visit', 'start'].map(frame);

  expect(withoutForeign(['RangeError: Too deep', ...recursion].join('\n'))).toBe(
    `RangeError: Too deep
    at visit (functions/tree.ts:1:2)
    at leave (functions/tree.ts:1:2)
    … 3 more
    at start (functions/tree.ts:1:2)`,
  );
});
