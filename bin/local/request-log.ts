import { hideApiKeys } from '../cli/hide-api-keys.ts';
import { printableLine } from '../cli/printable.ts';
import type { RequestRecord } from '../local-api/http/http-server.ts';

/** A cursor is opaque and long, and could hold anything. */
const cursor = /(?<=[?&]cursor=)[^&]+/g;

/** Returns a request's record with keys in the URL hidden and control characters escaped. */
export const printableRecord = (record: RequestRecord): RequestRecord => ({
  ...record,
  url: printableLine(hideApiKeys(record.url.replaceAll(cursor, '…'))),
});

/** Returns a readable request log line. */
export const requestLogLine = (record: RequestRecord): string => {
  const { method, url, status, code, milliseconds, requestId, warning } = printableRecord(record);
  const outcome = code ? `${status} ${code}` : status;
  return `${method} ${url} ${outcome} ${milliseconds} ms ${requestId}${warning ? ` (${warning})` : ''}`;
};
