import querystring from 'node:querystring';
import { hideApiKeys } from '../../shared/contract/api-key.ts';

/** What moves a terminal's cursor, ends a line, or reverses what is read: controls, separators, bidirectional marks. */
const invisible = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Cs}\uFEFF]/gu;

/** Text that others chose, with each control character as `\u001b`: so JSON may have it too, and stays the same JSON. */
export function visible(text: string): string {
  return text.replaceAll(
    invisible,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** A message that may quote what others chose: on one line, and without a key that was put in the wrong place. */
export function messageText(text: string): string {
  return visible(hideApiKeys(text.replaceAll(/[^\s'"]*%[^\s'"]*/g, withoutEncodedKey)));
}

/** A key may be percent-encoded, and more than once. */
function withoutEncodedKey(word: string): string {
  let decoded = word;
  for (let encoded = ''; encoded !== decoded; ) {
    encoded = decoded;
    decoded = querystring.unescape(encoded);
  }
  return hideApiKeys(decoded) === decoded ? word : hideApiKeys(decoded);
}
