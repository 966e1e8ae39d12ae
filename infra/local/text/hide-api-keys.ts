import querystring from 'node:querystring';
import { keyPrefix } from '../../../shared/contract/api-key.ts';

/** How many layers of percent-encoding are decoded. */
const maxEncodings = 16;

/** Truncates every API key in a text, whole or partial, plain or percent-encoded, to its prefix. */
export function hideApiKeys(text: string): string {
  return hidePlainKeys(
    text.replaceAll(/[^\s'"]+/g, (word) => (word.includes('%') ? hideEncodedKeys(word) : word)),
  );
}

const plainKey = new RegExp(`(${keyPrefix}[a-z]+_)[0-9A-Za-z]+`, 'g');

const hidePlainKeys = (text: string) => text.replaceAll(plainKey, '$1…');

/** A word without a key is left unchanged. */
function hideEncodedKeys(word: string): string {
  let decoded = word;
  for (let encodings = 0; encodings < maxEncodings; encodings += 1) {
    const encoded = decoded;
    decoded = querystring.unescape(encoded);
    if (decoded === encoded) {
      return hidePlainKeys(decoded) === decoded ? word : hidePlainKeys(encodeURI(decoded.toWellFormed()));
    }
  }
  return '…';
}
