import type { RequestRecord } from '../../infra/local/http-server.ts';
import { hideApiKeys } from '../../infra/local/text/hide-api-keys.ts';
import { printableLine } from '../../infra/local/text/printable.ts';

/** A cursor is opaque and long, and could hold anything. */
const cursor = /(?<=[?&]cursor=)[^&]+/g;

/** Returns a readable request log line, with keys in the URL hidden and control characters escaped. */
export const requestLogLine = (record: RequestRecord): string => {
  const { method, url, status, code, milliseconds, requestId } = record;
  const outcome = code ? `${status} ${code}` : status;
  return `${method} ${printableLine(hideApiKeys(url.replaceAll(cursor, '…')))} ${outcome} ${milliseconds} ms ${requestId}`;
};
