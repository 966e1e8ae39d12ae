import { describe, expect, it } from 'vitest';
import { readable } from '../../../../infra/local/lambda/readable-log.ts';

describe('a line of a function, for a person', () => {
  it('has level, message and request, and the stack of each error with line breaks', () => {
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

  it('does not let what a client sent move the cursor', () => {
    const line = JSON.stringify({ level: 'ERROR', message: '\u001b[2J' });

    expect(readable(line)).toBe('ERROR \\u001b[2J');
  });

  it('is as it was when it is something else', () => {
    expect(readable('text')).toBe('text');
  });
});
