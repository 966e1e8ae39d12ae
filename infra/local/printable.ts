import querystring from 'node:querystring';
import { hideApiKeys } from '../../shared/contract/api-key.ts';

/** Control characters, which a terminal obeys, and characters that change the direction of the text after them. */
const unprintable = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;

/** Text from outside on one line, with its control characters made visible, as `\u001b`. */
export const printableLine = (text: string): string =>
  text.replaceAll(unprintable, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** The same for text of several lines, such as a stack trace. */
export const printable = (text: string): string => text.split('\n').map(printableLine).join('\n');

/** A path that is percent-encoded more often than this is not printed at all. */
const maxEncodings = 16;

/** A path from a client on one line, with any key in it hidden, however many times it is percent-encoded. */
export function printablePath(path: string): string {
  let decoded = path;
  for (let encodings = 0; encodings < maxEncodings; encodings += 1) {
    const encoded = decoded;
    decoded = querystring.unescape(encoded);
    if (decoded !== encoded) continue;
    return printableLine(hideApiKeys(decoded) === decoded ? path : hideApiKeys(encodeURI(decoded)));
  }
  return '…';
}
