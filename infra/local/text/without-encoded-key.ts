import querystring from 'node:querystring';
import { hideApiKeys } from '../../../shared/contract/api-key.ts';

/** How often a text may be percent-encoded before it is not worth reading. */
const maxEncodings = 16;

/** A URL or a part of one, without the key that may be in it, however often that is percent-encoded. */
export function withoutEncodedKey(text: string): string {
  let decoded = text;
  for (let encodings = 0; encodings < maxEncodings; encodings += 1) {
    const encoded = decoded;
    decoded = querystring.unescape(encoded);
    if (decoded === encoded) return hideApiKeys(decoded) === decoded ? text : hideApiKeys(encodeURI(decoded));
  }
  return '…';
}
