import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { readable } from '../../../../infra/local/lambda/readable-log.ts';
import { projectRoot } from '../../../../infra/project-root.ts';

it("shows a fault and its causes with the project's frames", () => {
  const message = {
    message: 'The service failed.',
    requestId: '4711',
    error: {
      stack:
        'Error: Outer\n    at ut (functions/list-pets.ts:1:2)\n    at async e (node_modules/x/y.js:3:4)\n    at node:events:5:6\n    at <anonymous>',
      cause: { stack: 'Error: Inner', cause: 'unplugged' },
    },
  };

  expect(readable('ERROR', message)).toBe(
    `ERROR The service failed. (request 4711)
Error: Outer
    at ut (functions/list-pets.ts:1:2)
caused by Error: Inner
caused by unplugged`,
  );
});

it.each<[string, unknown, string]>([
  ['text', 'Hello\u001b[2J', 'INFO Hello\\u001b[2J'],
  [
    'the names of invalid fields',
    { message: 'A request was rejected.', code: 'invalid_body', invalid: 'name, status', requestId: '4711' },
    'INFO A request was rejected. Invalid: name, status. (request 4711)',
  ],
  [
    'the position of malformed JSON',
    { message: 'A request was rejected.', code: 'invalid_json', position: 'line 1, column 9' },
    'INFO A request was rejected. Invalid: line 1, column 9.',
  ],
  [
    'where the damaged part of a stored item is',
    { message: 'A stored item is damaged.', requestId: '4711', table: 'pets', key: '7', attributes: 'name' },
    'INFO A stored item is damaged. Table: pets. Key: 7. Invalid: name. (request 4711)',
  ],
  ['data', { count: 2 }, 'INFO {"count":2}'],
  ['a long text', 'x'.repeat(5000), `INFO ${'x'.repeat(5000)}`],
  [
    'an error',
    { errorMessage: 'It failed.', stackTrace: ['Error: It failed.', '    at functions/a.ts:1:2'] },
    'INFO Error: It failed.\n    at functions/a.ts:1:2',
  ],
  [
    'frames below the path of the project',
    {
      stack: `Error\n    at e (${projectRoot}shared/a.ts:1:2)\n    at ${pathToFileURL(projectRoot)}shared/b.ts:1:2`,
    },
    'INFO Error\n    at e (shared/a.ts:1:2)\n    at shared/b.ts:1:2',
  ],
])('shows %s that a handler logs', (_title, message, expected) => {
  expect(readable('INFO', message)).toBe(expected);
});

it('shows each frame of a recursion once', () => {
  const frame = (name: string) => `    at ${name} (functions/tree.ts:1:2)`;
  const recursion = ['visit', 'leave', 'visit', 'leave', 'visit', 'start'].map(frame);
  const stack = ['RangeError: Too deep', ...recursion].join('\n');

  expect(readable('ERROR', { stack, cause: { stack } })).toBe(
    `ERROR RangeError: Too deep
    at visit (functions/tree.ts:1:2)
    at leave (functions/tree.ts:1:2)
    … 3 more
    at start (functions/tree.ts:1:2)
caused by RangeError: Too deep
    at visit (functions/tree.ts:1:2)
    at leave (functions/tree.ts:1:2)
    … 3 more
    at start (functions/tree.ts:1:2)`,
  );
});

it.each([
  ['with an error', { message: 'The service failed.', error: 'unplugged' }],
  ['without one', { message: 'The service failed.' }],
])('names the source of a function that logs a failure %s', (_title, message) => {
  expect(readable('ERROR', message, () => 'functions/get-pet.ts')).toMatch(
    /^ERROR functions\/get-pet\.ts: The service failed\./,
  );
});
