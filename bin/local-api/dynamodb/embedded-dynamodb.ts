import { randomUUID } from 'node:crypto';
import { crc32 } from 'node:zlib';
import * as v from 'valibot';
import { printable, printableLine } from '../../cli/printable.ts';
import type { Endpoint, HttpRequest, HttpResponse } from '../http/read-request.ts';
import type { Project } from '../project.ts';
import { arn, roleOf } from '../template/account.ts';
import type { Deployment } from '../template/deployment.ts';
import { isAllowed } from '../template/policy.ts';
import { type DynaliteTables, rejection } from './dynalite-tables.ts';

type Declared = Pick<Deployment, 'roles' | 'tables'>;

/** How the embedded DynamoDB treats its callers. */
export interface CallerSettings {
  /** Returns what is deployed now, whose policies the calls of roles need. Without it, nothing is denied. */
  readonly deployment?: () => Declared;
  /** Returns the share of roles' calls that is throttled, from 0 to 1: all attempts of a call, so that it fails. */
  readonly throttledShare?: () => number;
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
  { deployment, throttledShare = () => 0, hints }: CallerSettings = {},
): Endpoint {
  /** What to do about a denial is printed once: a function repeats its calls, and logs the denial itself. */
  const printed = new Set<string>();
  let hinted: Declared | undefined;

  function printHint(declared: Declared, hint: string): void {
    // Another deployment may have repaired what was denied, and a later one may deny it again.
    if (hinted !== declared) printed.clear();
    hinted = declared;
    if (!printed.has(hint)) console.error(printableLine(hint));
    printed.add(hint);
  }

  async function call({ headers, body }: HttpRequest): Promise<unknown> {
    const { success, output: input } = v.safeParse(Call, body.toString());
    if (!success) throw rejection('SerializationException', 'The body is not a call.');

    const header = (name: string) => headers[name]?.[0] ?? '';
    const [, operation = ''] = /^DynamoDB_20120810\.(\w+)$/.exec(header('x-amz-target')) ?? [];
    const [, accessKeyId = ''] = /^AWS4-[^=]*Credential=([^/]+)\//.exec(header('authorization')) ?? [];
    const role = roleOf(accessKeyId);
    if (role === undefined || !deployment) return tables.call(operation, input);

    // All attempts of a call have the same invocation id.
    if (crc32(header('amz-sdk-invocation-id')) / 2 ** 32 < throttledShare()) {
      throw rejection('ThrottlingException', 'Throttled by --throttle.');
    }
    const action = `dynamodb:${operation}`;
    // Functions of the last deployment, whose role this one may lack, complete their requests.
    const declared = deployment();
    const statements = declared.roles.get(role) ?? [];
    const resource = resourcesOf(input).find((each) => !isAllowed(statements, action, each));
    if (resource !== undefined) {
      const denial = `User: ${arn('sts', `assumed-role/${role}`, '')} is not authorized to perform: ${action} on resource: ${resource}`;
      printHint(declared, hintOf(declared, { role, action, resource }, hints?.permissions ?? 'The stack'));
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

/** Calls that name no table, or, as transactions do, only elsewhere. */
const needsNoTable = /:(List|Transact|Execute|BatchExecute|DescribeLimits$|DescribeEndpoints$)/;

interface Denied {
  readonly role: string;
  readonly action: string;
  readonly resource: string;
}

/** Returns what to do about a denial. A kept table may have indexes that the stack no longer declares. */
function hintOf(
  { roles, tables }: Declared,
  { role, action, resource }: Denied,
  whereToAllow: string,
): string {
  if (!roles.has(role)) return `The stack declares no role ${role}: it can't call ${action}.`;
  if (resource === anyTable && !needsNoTable.test(action)) {
    return `The call ${action} of ${role} names no table.`;
  }
  const used = resource.replace(/^arn:.*:table/, 'table');
  const [, name, , index] = used.split('/');
  const table = tables.find(({ id }) => id === name);
  const hasIndex = table?.properties.GlobalSecondaryIndexes?.some(({ IndexName }) => IndexName === index);
  const cannotCall = `${role} can't call ${action} there.`;
  if (name !== undefined && !table) return `The stack declares no table ${name}: ${cannotCall}`;
  if (index !== undefined && !hasIndex) {
    return `The stack declares no index ${index} of the table ${name}: ${cannotCall}`;
  }
  return `${whereToAllow} does not allow ${role} to call ${action} on ${used}.`;
}

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
