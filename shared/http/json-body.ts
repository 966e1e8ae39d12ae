import { isUtf8 } from 'node:buffer';
import type { MiddlewareObj, Request } from '@middy/core';
import httpJsonBodyParser from '@middy/http-json-body-parser';
import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import * as v from 'valibot';
import { ApiError } from '../contract/api-error.ts';
import { maxBodyKiB } from '../contract/error-table.ts';
import { parseJson } from '../contract/json.ts';
import { isNestedDeeperThan, maxBodyDepth } from '../contract/json-depth.ts';
import { headerValues } from './request.ts';

type ApiRequest = Request<APIGatewayProxyEvent, unknown, Error, Context, { bodyText?: string }>;

const tooDeep = `The body must be nested at most ${maxBodyDepth} levels deep.`;

const forbiddenKey = 'The body must have no key "__proto__", and no "constructor" with a "prototype".';

/** What the parser throws. */
const ParserError = v.object({
  message: v.string(),
  cause: v.object({ package: v.literal('@middy/http-json-body-parser') }),
});

/**
 * Parses the body as JSON, its integers exact.
 *
 * @throws {ApiError} `unsupported_media_type`, `payload_too_large` or `invalid_json`
 */
export function jsonBody(): MiddlewareObj<APIGatewayProxyEvent>[] {
  return [
    { before: accept },
    httpJsonBodyParser({ disableContentTypeCheck: true }),
    { before: parseExactly, onError: nameParserError },
  ];
}

function accept({ event, internal }: ApiRequest): void {
  const contentType = headerValues(event, 'Content-Type')?.join();
  if (contentType !== undefined && !/^application\/json\s*(;|$)/i.test(contentType)) {
    throw new ApiError('unsupported_media_type');
  }
  if (!event.body) throw new ApiError('invalid_json');
  const bytes = Buffer.from(event.body, event.isBase64Encoded ? 'base64' : 'utf8');
  if (bytes.length > maxBodyKiB * 1024) throw new ApiError('payload_too_large');
  // Anything but UTF-8 would be stored with replacement characters.
  if (!isUtf8(bytes)) throw new ApiError('invalid_json', 'The body must be encoded in UTF-8.');

  const bodyText = event.isBase64Encoded ? bytes.toString() : event.body;
  if (isNestedDeeperThan(maxBodyDepth, bodyText)) throw new ApiError('invalid_json', tooDeep);
  internal.bodyText = bodyText;
  Object.assign(event, { body: bodyText, isBase64Encoded: false });
}

/** The parser has refused what is malformed or poisons a prototype, but rounded integers past 2^53: read again. */
function parseExactly({ event, internal }: ApiRequest): void {
  Object.assign(event, { body: parseJson(internal.bodyText ?? '') });
}

function nameParserError(request: ApiRequest): void {
  const { error } = request;
  if (!v.is(ParserError, error)) return;
  request.error = new ApiError(
    'invalid_json',
    error.message.startsWith('Forbidden key') ? forbiddenKey : undefined,
  );
}
