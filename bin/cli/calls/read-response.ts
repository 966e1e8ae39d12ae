import * as v from 'valibot';
import { jsonText } from '../../../shared/contract/json.ts';
import { PetStoreError } from './client-error.ts';
import { maxResponseBytes, type WholeResponse } from './fetch-whole.ts';

/** To collect the issues of each item in a hostile body would take seconds. */
const config = { abortEarly: true };

const ErrorResponse = jsonText(v.object({ code: v.string(), message: v.string() }));

/** Converts a response that is not successful; `withoutKey` removes the API key, which a server may send back. */
export function errorOf(response: WholeResponse, withoutKey: (text: string) => string): PetStoreError {
  const { success, output, issues } = v.safeParse(ErrorResponse, response.text, config);
  if (!success) return unexpected(response, issues);
  return new PetStoreError(withoutKey(output.code), withoutKey(output.message), response);
}

/** Parses the body of a successful response. Returns an error if it is not from the API. */
export function bodyOf<T>(schema: v.GenericSchema<unknown, T>, response: WholeResponse): T | PetStoreError {
  const { success, output, issues } = v.safeParse(jsonText(schema), response.text, config);
  return success ? output : unexpected(response, issues);
}

/** Describes a response that the API did not send. */
function unexpected(response: WholeResponse, [issue]: readonly [v.BaseIssue<unknown>, ...unknown[]]) {
  const { status, text } = response;
  const isElsewhere = status < 400 || status === 403 || status === 404;
  const message = isElsewhere
    ? 'The response is not from a pet store: check the base URL, which ends in /v1.'
    : `A proxy, or what is in front of the API, responded with ${status}.`;
  // Without what was received, which may have the API key.
  const reason =
    text === undefined
      ? `The body is longer than ${maxResponseBytes / 1024 ** 2} MiB.`
      : `${v.getDotPath(issue) ?? 'The body'} is not ${issue.expected ?? 'JSON'}.`;
  return new PetStoreError('unexpected_response', message, { ...response, cause: new TypeError(reason) });
}

/** Returns when an operation was deprecated and when it ends, or undefined if the response does not say so. */
export function deprecationIn(headers: Headers) {
  const since = headers.get('Deprecation');
  if (since === null) return undefined;
  const seconds = since.startsWith('@') ? Number(since.slice(1)) : Number.NaN;
  return { since: dateOf(1000 * seconds), sunset: dateOf(headers.get('Sunset') ?? '') };
}

function dateOf(value: number | string): Date | undefined {
  const date = new Date(value);
  return Number.isNaN(date.getTime()) ? undefined : date;
}
