import { expect, it } from 'vitest';
import { readable } from '../../../../infra/local/lambda/readable-log.ts';

it('a fault has level, message and request, and the stack of each error with line breaks', () => {
  const line = JSON.stringify({
    level: 'ERROR',
    message: {
      message: 'The service failed.',
      requestId: '4711',
      error: {
        stack: 'Error: Outer\n    at a.ts:1:2',
        errors: ['first'],
        cause: { stack: 'Error: Inner' },
      },
    },
  });

  expect(readable(line)).toBe(
    `ERROR The service failed. (request 4711)
  Error: Outer
      at a.ts:1:2
  first
  caused by
  Error: Inner`,
  );
});

it.each([
  // What a client sent does not move the cursor.
  ['{"level":"ERROR","message":"\\u001b[2J"}', 'ERROR \\u001b[2J'],
  ['text', 'text'],
])('the line %s is shown as %s', (line, expected) => {
  expect(readable(line)).toBe(expected);
});
