import { isUtf8 } from 'node:buffer';
import httpJsonBodyParser from '@middy/http-json-body-parser';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { maxBodyDepth, maxBodyKiB } from '../contract/body-limits.ts';
import { ApiError } from '../contract/error-table.ts';
import { parseJson } from '../contract/json.ts';
import { malformedAt } from './malformed-at.ts';
import { type ApiMiddleware, headerValue } from './request.ts';

const parser = httpJsonBodyParser({ disableContentTypeCheck: true });

/**
 * Parses the body as JSON with exact integers.
 *
 * @throws {ApiError} `unsupported_media_type`, `payload_too_large` or `invalid_json`
 */
export const jsonBody: ApiMiddleware = {
  async before(request) {
    const text = checkedText(request.event);
    try {
      await parser.before?.(request);
    } catch {
      throw rejectionOf(text);
    }
    // The parser has rounded integers past 2^53. Its own reviver could not keep them: Middy calls it without the
    // source text.
    Object.assign(request.event, { body: parseJson(text) });
  },
};

const invalidJson = (message?: string) => new ApiError('invalid_json', message);

/** The parser rejects what is malformed, and keys that could change a prototype. */
function rejectionOf(text: string): ApiError {
  const position = malformedAt(text);
  if (position === undefined) {
    return invalidJson('The body must not contain the key __proto__ or constructor.prototype.');
  }
  const message = `The body must be well-formed JSON: see ${position}.`;
  return new ApiError('invalid_json', message, { details: { position } });
}

/** Returns the text of a body, after every check that is possible before parsing. */
function checkedText(event: APIGatewayProxyEvent): string {
  const contentType = headerValue(event, 'Content-Type');
  if (contentType !== undefined && !/^application\/json\s*(;|$)/i.test(contentType)) {
    throw new ApiError('unsupported_media_type');
  }
  if (!event.body) throw invalidJson();
  const bytes = Buffer.from(event.body, event.isBase64Encoded ? 'base64' : 'utf8');
  if (bytes.length > maxBodyKiB * 1024) throw new ApiError('payload_too_large');
  // Anything but UTF-8 would be stored with replacement characters.
  if (!isUtf8(bytes)) throw invalidJson('The body must be UTF-8.');

  const text = event.isBase64Encoded ? bytes.toString() : event.body;
  if (isNestedDeeperThan(maxBodyDepth, text)) {
    throw invalidJson(`The body must be nested at most ${maxBodyDepth} levels deep.`);
  }
  return text;
}

const strings = /"(?:[^"\\]|\\.)*"?/gs;

const levels: Readonly<Record<string, number>> = { '[': 1, '{': 1, ']': -1, '}': -1 };

/** Returns whether JSON text, even malformed, exceeds a nesting limit, before a parser could overflow. */
function isNestedDeeperThan(limit: number, text: string): boolean {
  let depth = 0;
  for (const character of text.replaceAll(strings, '')) {
    depth += levels[character] ?? 0;
    if (depth > limit) return true;
  }
  return false;
}
