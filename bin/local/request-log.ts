import type { RequestRecord } from '../../infra/local/http-server.ts';
import { printablePath } from '../../infra/local/printable.ts';

/** A line of the request log for a person: a key in the path is hidden, and nothing in it moves the cursor. */
export const requestLogLine = ({ method, path, status, milliseconds, requestId }: RequestRecord): string =>
  `${method} ${printablePath(path)} ${status} ${milliseconds} ms ${requestId}`;
