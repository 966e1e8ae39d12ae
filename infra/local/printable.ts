import querystring from 'node:querystring';
import { hideApiKeys } from '../../shared/contract/api-key.ts';

/** What a terminal takes for more than text: control characters, and those that change the direction of what follows. */
const unprintable = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;

/** A text that others chose on one line, its control characters visible: `\u001b`, say. */
export const printableLine = (text: string): string =>
  text.replaceAll(unprintable, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** The same, but what has lines, such as a stack trace, keeps them. */
export const printable = (text: string): string => text.split('\n').map(printableLine).join('\n');

/** How often a path may be percent-encoded before it is not worth reading. */
const maxEncodings = 16;

/** A path that a client sent, on one line, and without a key, however often that is percent-encoded. */
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
