import { expect, it } from 'vitest';
import { printable, printableLine } from '../printable.ts';

it.each([
  ['\u001b[2J\u009b2J', '\\u001b[2J\\u009b2J'],
  ['a\r\nb\tc\u007f', 'a\\u000d\\u000ab\\u0009c\\u007f'],
  ['a\u2028b\u202ec\u2066d', 'a\\u2028b\\u202ec\\u2066d'],
  ['Żółw 猫 🐈‍⬛', 'Żółw 猫 🐈‍⬛'],
])('printableLine shows %j as %j', (text, expected) => {
  expect(printableLine(text)).toBe(expected);
});

it('printable keeps line breaks and tabs', () => {
  expect(printable('Error: \u001b[2J\n\tat a\n')).toBe('Error: \\u001b[2J\n\tat a\n');
});
