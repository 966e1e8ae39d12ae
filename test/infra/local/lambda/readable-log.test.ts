import { expect, it } from 'vitest';
import { readable } from '../../../../infra/local/lambda/readable-log.ts';

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

it.each([
  ['Hello\u001b[2J', 'INFO Hello\\u001b[2J'],
  [{ count: 2 }, 'INFO {"count":2}'],
])('shows the message %j as %s', (message, expected) => {
  expect(readable('INFO', message)).toBe(expected);
});

it('shows an error that a handler logs', () => {
  const stackTrace = ['Error: It failed.', '    at functions/get-pet.ts:1:2', '    at node:events:5:6'];

  expect(readable('ERROR', { errorType: 'Error', errorMessage: 'It failed.', stackTrace })).toBe(
    'ERROR Error: It failed.\n    at functions/get-pet.ts:1:2',
  );
});
