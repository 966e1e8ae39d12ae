import { randomUUID } from 'node:crypto';
import { crc32 } from 'node:zlib';
import * as v from 'valibot';
import type { HttpResponse } from '../http/http.ts';
import { arn } from '../template/account.ts';
import { isAllowed, type Statement } from '../template/policy.ts';
import { printable, printableLine } from '../text/printable.ts';
import type { DynaliteTables } from './dynalite-tables.ts';

/** A request to DynamoDB, with the headers that matter. */
export interface DynamodbRequest {
  /** Such as `DynamoDB_20120810.GetItem`. */
  readonly target: string;
  readonly authorization: string;
  /** The same for all attempts of a call. */
  readonly invocationId: string;
  readonly body: string;
}

/** Responds as DynamoDB does. */
export type Dynamodb = (request: DynamodbRequest) => Promise<HttpResponse>;

/** What callers of a DynamoDB experience. */
export interface CallerSettings {
  /** Returns what the role with an access key ID allows; undefined for an operator, who may do everything. */
  readonly statementsOf?: (accessKeyId: string) => readonly Statement[] | undefined;
  /** The share of the calls of roles that is throttled, from 0 to 1. All attempts of a call are, so it fails. */
  readonly throttledShare?: number | undefined;
}

const Call = v.pipe(
  v.string(),
  v.parseJson(),
  v.check((json) => !Array.isArray(json)),
  v.looseObject({ TableName: v.optional(v.string()), IndexName: v.optional(v.string()) }),
);
type Call = v.InferOutput<typeof Call>;

/** What dynalite throws if it rejects a call. */
const ErrorResponse = v.object({ statusCode: v.number(), body: v.record(v.string(), v.unknown()) });

/** Responds to calls of DynamoDB from tables in this process, and enforces the policies of each caller, as IAM would. */
export function embeddedDynamodb(
  tables: DynaliteTables,
  { statementsOf = () => undefined, throttledShare = 0 }: CallerSettings = {},
): Dynamodb {
  return async ({ target, authorization, invocationId, body }) => {
    const { success, output: call } = v.safeParse(Call, body);
    if (!success) return refuse('SerializationException', 'The body is not a call.');

    const [, operation = ''] = /^DynamoDB_20120810\.(\w+)$/.exec(target) ?? [];
    const [, accessKeyId = 'anonymous'] = /^AWS4-[^=]*Credential=([^/]+)\//.exec(authorization) ?? [];
    const statements = statementsOf(accessKeyId);
    if (statements && crc32(invocationId) / 2 ** 32 < throttledShare) {
      return refuse('ThrottlingException', 'Throttled by --throttle.');
    }
    const [action, resource] = [`dynamodb:${operation}`, resourceOf(call)];
    if (statements && !isAllowed(statements, action, resource)) {
      const denial = `User: ${arn('sts', `assumed-role/${accessKeyId}`, '')} is not authorized to perform: ${action} on resource: ${resource}`;
      console.error(printableLine(denial));
      return refuse('AccessDeniedException', denial);
    }
    return tables.call(operation, call).then(
      (output) => respondWith(200, output),
      (error: unknown) => responseTo(error, operation),
    );
  };
}

function resourceOf({ TableName, IndexName }: Call): string {
  // A call about more than one table, such as BatchGetItem, needs a permission for all tables.
  const table = TableName === undefined ? '*' : arn('dynamodb', `table/${TableName}`);
  return IndexName === undefined ? table : `${table}/index/${IndexName}`;
}

const refuse = (type: string, message: string, status = 400): HttpResponse =>
  respondWith(status, { __type: `com.amazon.coral.service#${type}`, message });

/** Any exception becomes the response to the call. */
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
