import querystring from 'node:querystring';
import type { RequestRecord } from '../../infra/local/http-server.ts';
import { printableLine } from '../../infra/local/printable.ts';
import { hideApiKeys } from '../../shared/contract/api-key.ts';

/** A line of the request log for a person: a key in the path is hidden, and nothing in it moves the cursor. */
export const requestLogLine = ({ method, path, status, milliseconds, requestId }: RequestRecord): string =>
  `${method} ${printableLine(withoutKey(path))} ${status} ${milliseconds} ms ${requestId}`;

/** How often a path may be percent-encoded before it is not worth reading. */
const maxEncodings = 16;

/** A key is hidden however often it is percent-encoded. */
function withoutKey(path: string): string {
  let decoded = path;
  for (let encodings = 0; encodings < maxEncodings; encodings += 1) {
    const encoded = decoded;
    decoded = querystring.unescape(encoded);
    if (decoded === encoded) return hideApiKeys(decoded) === decoded ? path : hideApiKeys(encodeURI(decoded));
  }
  return '…';
}
