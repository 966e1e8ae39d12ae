import querystring from 'node:querystring';

/** How many layers of percent-encoding are decoded. */
const maxEncodings = 16;

/** Truncates every API key in a text, whole or partial, plain or percent-encoded, to its prefix. */
export function hideApiKeys(text: string): string {
  return hidePlainKeys(
    text.replaceAll(/[^\s'"]+/g, (word) => (word.includes('%') ? hideEncodedKeys(word) : word)),
  );
}

const hidePlainKeys = (text: string) => text.replaceAll(/(petstore_[a-z]+_)[0-9A-Za-z]+/g, '$1…');

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
