import { expect, it } from 'vitest';
import { messageText } from '../../../bin/cli/message-text.ts';
import { generateApiKey } from '../../../shared/contract/api-key.ts';

const key = generateApiKey('staging');

it.each([
  [`There is no\r\n\u001b[2J${key}.`, 'There is no\\u000d\\u000a\\u001b[2Jpetstore_staging_….'],
  [`http://pets.example/${key.replace('p', '%70')}?x y`, 'http://pets.example/petstore_staging_…?x y'],
  [`There is no ${key.replaceAll('_', '%5F')}.`, 'There is no petstore_staging_….'],
  [`'${encodeURIComponent(`\n${key}`)}'`, "'%0Apetstore_staging_…'"],
  ['\u2029\u200f\uFEFF\ud800 Żółw 👩‍👧 \\n', '\\u2029\\u200f\\ufeff\\ud800 Żółw 👩‍👧 \\n'],
  ['100 % of http://pets.example/a%20b', '100 % of http://pets.example/a%20b'],
])('a message is on one line and has no key in it: %#', (text, shown) => {
  expect(messageText(text)).toBe(shown);
});
