import { isUtf8 } from 'node:buffer';
import type { MiddlewareObj, Request } from '@middy/core';
import httpJsonBodyParser from '@middy/http-json-body-parser';
import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import * as v from 'valibot';
import { ApiError } from '../contract/errors/api-error.ts';
import { maxBodyKiB } from '../contract/errors/error-table.ts';
import { parseJson } from '../contract/json.ts';
import { isNestedDeeperThan, maxBodyDepth } from '../contract/json-depth.ts';
import { headerValues } from './request.ts';

type ApiRequest = Request<APIGatewayProxyEvent, unknown, Error, Context, { bodyText?: string }>;

const invalidJson = (message?: string) => new ApiError('invalid_json', message);

/** What the parser throws. */
const ParserError = v.object({
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
  if (!event.body) throw invalidJson();
  const bytes = Buffer.from(event.body, event.isBase64Encoded ? 'base64' : 'utf8');
  if (bytes.length > maxBodyKiB * 1024) throw new ApiError('payload_too_large');
  // Anything but UTF-8 would be stored with replacement characters.
  if (!isUtf8(bytes)) throw invalidJson('The body must be UTF-8.');

  const bodyText = event.isBase64Encoded ? bytes.toString() : event.body;
  if (isNestedDeeperThan(maxBodyDepth, bodyText)) {
    throw invalidJson(`The body must be nested at most ${maxBodyDepth} levels deep.`);
  }
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
  const isPoisonous = error.message.startsWith('Forbidden');
  request.error = invalidJson(
    isPoisonous ? 'The body must not have the key __proto__ or constructor.prototype.' : undefined,
  );
}
