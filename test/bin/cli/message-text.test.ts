import { describe, expect, it } from 'vitest';
import { messageText } from '../../../bin/cli/message-text.ts';
import { printableLine } from '../../../infra/local/text/printable.ts';
import { generateApiKey } from '../../../shared/contract/api-key.ts';

describe('text that others chose', () => {
  it.each([
    ['\u001b[2J\u009b31m', '\\u001b[2J\\u009b31m'],
    ['a\r\nb\tc\0\x7f', 'a\\u000d\\u000ab\\u0009c\\u0000\\u007f'],
    ['\u2028\u2029\u202e\u2066\u200f\uFEFF\ud800', '\\u2028\\u2029\\u202e\\u2066\\u200f\\ufeff\\ud800'],
    ['Żółw 🐢 👩‍👧 日本 \\n', 'Żółw 🐢 👩‍👧 日本 \\n'],
  ])('%j is shown as %s', (text, shown) => {
    expect(printableLine(text)).toBe(shown);
  });

  it('is the same JSON still', () => {
    const value = { note: '\u001b[2J \u009b \u202e "\n"' };

    expect(JSON.parse(printableLine(JSON.stringify(value)))).toStrictEqual(value);
  });
});

describe('a message', () => {
  const key = generateApiKey('staging');

  it.each([
    key,
    `http://pets.example/${key}?x`,
    key.replaceAll('_', '%5F'),
    key.replaceAll('_', '%25255f'),
    key.replace('p', '%70'),
    `'${encodeURIComponent(`\n${key}`)}'`,
  ])('has no key in it: %#', (text) => {
    const shown = messageText(`There is no ${text}.`);

    expect(shown).toContain('petstore_staging_…');
    expect(shown).not.toContain(key.slice(-38));
    expect(shown).not.toContain('\n');
  });

  it('keeps what is percent-encoded and no key', () => {
    expect(messageText('100 % of http://pets.example/a%20b')).toBe('100 % of http://pets.example/a%20b');
  });
});
