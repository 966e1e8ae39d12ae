/** A request over a raw connection. Texts have one character per byte. */
export interface HttpRequest {
  /** Such as `GET /v1/pets HTTP/1.1`. */
  readonly requestLine: string;
  /** Header lines, without `Host` and `Content-Length`. */
  readonly headers: readonly string[];
  readonly content?: string;
}

/** Stands for the key in a header line. */
const keyPlace = '<API key>';

/** The header line of a request with a valid key, which is filled in when the request is sent. */
export const withKey = `Authorization: Bearer ${keyPlace}`;

/** Returns a GET of a target, by default with the key. */
export const get = (target: string, headers: readonly string[] = [withKey]): HttpRequest => ({
  requestLine: `GET ${target} HTTP/1.1`,
  headers,
});

/** Returns a text, or bytes, with one character per byte. */
export const latin1 = (text: string | Uint8Array): string => Buffer.from(text).toString('latin1');

/** Returns the bytes of requests that share a connection, the last of which closes it. */
export function toBytes(requests: readonly HttpRequest[], apiKey: string): string {
  const texts = requests.map(({ requestLine, headers, content }, index) => {
    const lines = [requestLine, 'Host: 127.0.0.1', ...headers.map((line) => line.replace(keyPlace, apiKey))];
    if (index === requests.length - 1) lines.push('Connection: close');
    if (content !== undefined) lines.push(`Content-Length: ${content.length}`);
    return `${lines.join('\r\n')}\r\n\r\n${content ?? ''}`;
  });
  return texts.join('');
}
