import type { RequestRecord } from '../../infra/local/http-server.ts';
import { printableLine } from '../../infra/local/text/printable.ts';
import { withoutEncodedKey } from '../../infra/local/text/without-encoded-key.ts';

/** A line of the request log for a person: a key in the path is hidden, and nothing in it moves the cursor. */
export const requestLogLine = ({ method, path, status, milliseconds, requestId }: RequestRecord): string =>
  `${method} ${printableLine(withoutEncodedKey(path))} ${status} ${milliseconds} ms ${requestId}`;
