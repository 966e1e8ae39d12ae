import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { isNestedDeeperThan } from '../../../shared/contract/json-depth.ts';
import type { HttpResponse } from '../http/http.ts';
import { printable } from '../text/printable.ts';
import { DynaliteTables } from './dynalite-tables.ts';

/** A request to DynamoDB, by the headers that matter. */
export interface DynamodbRequest {
  /** `DynamoDB_20120810.GetItem`, say. */
  readonly target: string | undefined;
  readonly authorization: string | undefined;
  readonly body: string;
}

/** Anything that responds as DynamoDB does. */
export interface Dynamodb {
  respond(request: DynamodbRequest): Promise<HttpResponse>;
}

const Call = v.pipe(
  v.string(),
  v.parseJson(),
  v.check((json) => !Array.isArray(json)),
  v.looseObject({ TableName: v.optional(v.string()), IndexName: v.optional(v.string()) }),
);

/** What dynalite throws when a call is at fault. */
const ErrorResponse = v.object({ statusCode: v.number(), body: v.record(v.string(), v.unknown()) });

/**
 * How deep a call may be nested: DynamoDB allows attributes of 32 levels, each of which takes two levels of JSON.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html
 */
const maxDepth = 80;

/** A DynamoDB in this process. Whatever a call makes it throw becomes the response to that call. */
export class EmbeddedDynamodb implements Dynamodb {
  readonly #tables: DynaliteTables;
  readonly #underWay = new Set<Promise<unknown>>();

  /** Keeps its tables in `directory`, or in memory without one. */
  constructor(directory?: string) {
    this.#tables = new DynaliteTables(directory);
  }

  async respond({ target, authorization, body }: DynamodbRequest): Promise<HttpResponse> {
    const operation = operationOf(target);
    if (!DynaliteTables.has(operation)) {
      return refuse('UnknownOperationException', 'The embedded DynamoDB does not know the operation.');
    }
    if (accessKeyIdOf(authorization) === undefined) {
      return refuse('MissingAuthenticationTokenException', 'Request is missing Authentication Token');
    }
    if (isNestedDeeperThan(maxDepth, body)) {
      return refuse('ValidationException', 'Nesting Levels have exceeded supported limits');
    }
    const { success, output: call } = v.safeParse(Call, body);
    if (!success) return refuse('SerializationException', 'The body is not a call.');

    const responded = this.#tables.call(operation, call).then(
      (output) => respondWith(200, output),
      (error: unknown) => responseTo(error, operation),
    );
    this.#underWay.add(responded);
    return responded.finally(() => this.#underWay.delete(responded));
  }

  /** Waits for the calls under way, then closes the tables. */
  async close(): Promise<void> {
    await Promise.all(this.#underWay);
    await this.#tables.close();
  }
}

/** The operation that a target names; empty when it is none of DynamoDB's. */
export const operationOf = (target: string | undefined): string =>
  /^DynamoDB_20120810\.(\w+)$/.exec(target ?? '')?.[1] ?? '';

/** Who has signed a request. */
export const accessKeyIdOf = (authorization: string | undefined): string | undefined =>
  /^AWS4-.*Credential=([^/]+)\//.exec(authorization ?? '')?.[1];

/** A response that refuses a call. */
export const refuse = (type: string, message: string, status = 400): HttpResponse =>
  respondWith(status, { __type: `com.amazon.coral.service#${type}`, message });

function responseTo(error: unknown, operation: string): HttpResponse {
  if (v.is(ErrorResponse, error)) return respondWith(error.statusCode, error.body);
  const cause = error instanceof Error ? `${error.stack}` : String(error);
  console.error(`The embedded DynamoDB failed at ${operation}: ${printable(cause)}`);
  return refuse('InternalServerError', 'The embedded DynamoDB failed at this call.', 500);
}

const respondWith = (status: number, body: unknown): HttpResponse => ({
  status,
  headers: { 'Content-Type': 'application/x-amz-json-1.0', 'x-amzn-RequestId': randomUUID() },
  body: JSON.stringify(body),
});
