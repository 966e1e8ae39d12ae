import { expect, it } from 'vitest';
import { describeLog } from '../describe-log.ts';

it.each<[string, unknown, string | undefined]>([
  [
    'a fault with its causes',
    {
      message: 'The service failed.',
      requestId: '4711',
      error: {
        stack: 'Error: Outer\n    at a',
        cause: { stack: 'Error: Inner', cause: { message: 'unplugged' } },
      },
    },
    'The service failed. (request 4711)\nError: Outer\n    at a\ncaused by Error: Inner\ncaused by unplugged',
  ],
  [
    'the names of invalid fields',
    { message: 'A request was rejected.', code: 'invalid_body', invalid: 'name, status', requestId: '4711' },
    'A request was rejected. Invalid: name, status. (request 4711)',
  ],
  [
    'the position of malformed JSON',
    { message: 'A request was rejected.', code: 'invalid_json', position: 'line 1, column 9' },
    'A request was rejected. Invalid: line 1, column 9.',
  ],
  [
    'where the damaged part of a stored item is',
    { message: 'A stored item is damaged.', requestId: '4711', table: 'pets', key: '7', attributes: 'name' },
    'A stored item is damaged. Table: pets. Key: 7. Invalid: name. (request 4711)',
  ],
  ['nothing of a created item, which the request line tells', { message: 'An item was created.' }, ''],
  ['nothing of its own about other data', { count: 2 }, undefined],
])('tells %s', (_title, message, expected) => {
  expect(describeLog(message)).toBe(expected);
});
