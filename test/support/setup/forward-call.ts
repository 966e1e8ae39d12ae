import type { IncomingHttpHeaders } from 'node:http';

/** Hands a call of DynamoDB on to another one. */
export async function forwardCall(
  endpoint: string,
  headers: IncomingHttpHeaders,
  body: string,
): Promise<Response> {
  return fetch(endpoint, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/x-amz-json-1.0',
      'X-Amz-Target': String(headers['x-amz-target']),
      'X-Amz-Date': String(headers['x-amz-date']),
      Authorization: String(headers.authorization),
    },
    body,
  });
}
