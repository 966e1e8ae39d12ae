import { randomUUID } from 'node:crypto';
import { crc32 } from 'node:zlib';
import * as v from 'valibot';
import type { Endpoint, HttpRequest, HttpResponse } from '../http/http.ts';
import type { Project } from '../project.ts';
import { arn, roleOf } from '../template/account.ts';
import type { Deployment } from '../template/deployment.ts';
import { isAllowed } from '../template/policy.ts';
import { printable, printableLine } from '../text/printable.ts';
import { type DynaliteTables, rejection } from './dynalite-tables.ts';

/** How the embedded DynamoDB treats its callers. */
export interface CallerSettings {
  /** Returns the roles that are deployed now, whose policies their calls need. Without it, nothing is denied. */
  readonly roles?: () => Deployment['roles'];
  /** The share of roles' calls that is throttled, from 0 to 1: all attempts of a call, so that it fails. */
  readonly throttledShare?: number | undefined;
  readonly hints?: Project['hints'];
}

const Call = v.pipe(
  v.string(),
  v.parseJson(),
  v.check((json) => !Array.isArray(json)),
  v.looseObject({
    TableName: v.optional(v.string()),
    IndexName: v.optional(v.string()),
    /** Of BatchGetItem and BatchWriteItem, by table. */
    RequestItems: v.optional(v.record(v.string(), v.unknown())),
  }),
);

/** What dynalite throws if it rejects a call. */
const Rejection = v.object({ statusCode: v.number(), body: v.record(v.string(), v.unknown()) });

/** Responds to DynamoDB calls, using tables in this process, and enforces callers' policies as IAM does. */
export function embeddedDynamodb(
  tables: DynaliteTables,
  { roles, throttledShare = 0, hints }: CallerSettings = {},
): Endpoint {
  const whereToAllow = hints?.permissions ?? 'The stack';

  async function call({ headers, body }: HttpRequest): Promise<unknown> {
    const { success, output: input } = v.safeParse(Call, body.toString());
    if (!success) throw rejection('SerializationException', 'The body is not a call.');

    const header = (name: string) => headers[name]?.[0] ?? '';
    const [, operation = ''] = /^DynamoDB_20120810\.(\w+)$/.exec(header('x-amz-target')) ?? [];
    const [, accessKeyId = ''] = /^AWS4-[^=]*Credential=([^/]+)\//.exec(header('authorization')) ?? [];
    const role = roleOf(accessKeyId);
    if (role === undefined || !roles) return tables.call(operation, input);

    // All attempts of a call have the same invocation id.
    if (crc32(header('amz-sdk-invocation-id')) / 2 ** 32 < throttledShare) {
      throw rejection('ThrottlingException', 'Throttled by --throttle.');
    }
    const action = `dynamodb:${operation}`;
    // The last deployment may have had a role that this one lacks, and its functions complete their requests.
    const statements = roles().get(role) ?? [];
    const denied = resourcesOf(input).find((resource) => !isAllowed(statements, action, resource));
    if (denied !== undefined) {
      const place =
        denied === anyTable ? 'without a table' : `on ${denied.replace(/^arn:.*:table/, 'table')}`;
      console.error(printableLine(`${whereToAllow} does not allow ${role} to call ${action} ${place}.`));
      const user = arn('sts', `assumed-role/${role}`, '');
      const denial = `User: ${user} is not authorized to perform: ${action} on resource: ${denied}`;
      throw rejection('AccessDeniedException', denial);
    }
    return tables.call(operation, input);
  }

  // Any exception becomes the response to the call.
  return async (request) => {
    try {
      return respondWith(200, await call(request));
    } catch (error) {
      if (v.is(Rejection, error)) return respondWith(error.statusCode, error.body);
      const cause = error instanceof Error ? `${error.stack}` : String(error);
      console.error(`The embedded DynamoDB failed: ${printable(cause)}`);
      return respondWith(500, rejection('InternalServerError', 'The embedded DynamoDB failed.').body);
    }
  };
}

/** The resource of a call without a table. */
const anyTable = '*';

/** Returns what the caller of an operation must be allowed to use. */
function resourcesOf({ TableName, IndexName, RequestItems }: v.InferOutput<typeof Call>): string[] {
  if (RequestItems) return Object.keys(RequestItems).map(tableArn);
  // Other calls without a table, such as transactions, need a permission for all tables.
  if (TableName === undefined) return [anyTable];
  const table = tableArn(TableName);
  return [IndexName === undefined ? table : `${table}/index/${IndexName}`];
}

const tableArn = (name: string) => arn('dynamodb', `table/${name}`);

const respondWith = (status: number, body: unknown): HttpResponse => ({
  status,
  headers: { 'Content-Type': 'application/x-amz-json-1.0', 'x-amzn-RequestId': randomUUID() },
  body: JSON.stringify(body),
});
