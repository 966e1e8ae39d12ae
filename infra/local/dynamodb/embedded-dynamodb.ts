import {
  Agent,
  createServer,
  type IncomingMessage,
  type ServerResponse,
  request as sendRequest,
} from 'node:http';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import dynalite from 'dynalite';
import * as v from 'valibot';
import { isAllowed, type Statement } from '../lambda/policy.ts';
import { close, listen } from '../listen.ts';
import { arn } from '../template/account.ts';
import { closeUnfinishedIterators } from './close-iterators.ts';
import { returnOldItems } from './return-old-items.ts';

/** What the policies of a role say, by the access key id that stands for the role; undefined: may do everything. */
export type StatementsOf = (accessKeyId: string) => readonly Statement[] | undefined;

export interface EmbeddedDynamodb {
  readonly endpoint: string;
  close(): Promise<void>;
}

const Call = v.pipe(
  v.string(),
  v.parseJson(),
  v.check((json) => !Array.isArray(json)),
  v.object({ TableName: v.optional(v.string()), IndexName: v.optional(v.string()) }),
);

type Call = v.InferOutput<typeof Call>;

/** Starts a DynamoDB on a free port, its tables in `directory`, or in memory without one. */
export async function startDynamodb(
  statementsOf: StatementsOf,
  directory?: string,
): Promise<EmbeddedDynamodb> {
  const tables = await startTables(directory);
  const guard = await guardTables(tables.endpoint, statementsOf);
  return {
    endpoint: guard.endpoint,
    async close() {
      await guard.close();
      await tables.close();
    },
  };
}

/** Starts the tables alone: whoever finds them may do everything, and a malformed call would crash them. */
export async function startTables(directory?: string): Promise<EmbeddedDynamodb> {
  closeUnfinishedIterators();
  returnOldItems();
  const tables = dynalite({ ...(directory !== undefined && { path: directory }), createTableMs: 0 });
  // Else it may close an idle connection at the moment of the next call.
  tables.keepAliveTimeout = 0;
  const port = await listen(tables);
  return { endpoint: `http://127.0.0.1:${port}`, close: () => close(tables) };
}

/**
 * Guards tables on a free port of its own: what the caller's policies do not allow it answers with
 * AccessDeniedException, as DynamoDB does.
 */
export async function guardTables(endpoint: string, statementsOf: StatementsOf): Promise<EmbeddedDynamodb> {
  const agent = new Agent({ keepAlive: true });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request);
    const { success, output: call } = v.safeParse(Call, body.toString());
    // The tables would not survive a body that is no object.
    if (!success) return refuse(response, 'SerializationException', 'The body is no call.');
    const denial = denialOf(request, call, statementsOf);
    if (denial !== undefined) {
      console.error(denial);
      return refuse(response, 'AccessDeniedException', denial);
    }
    const { method, url, headers } = request;
    const { promise: answered, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    sendRequest(endpoint, { agent, method, path: url, headers }, resolve).on('error', reject).end(body);
    const upstream = await answered;
    response.writeHead(upstream.statusCode ?? 500, upstream.headers);
    await pipeline(upstream, response);
  }

  const underWay = new Set<Promise<void>>();
  const guard = createServer((request, response) => {
    const answered = answer(request, response)
      .catch((error: Error) => {
        // A function that has given up wants no answer.
        if (!response.closed) console.error(error.stack);
        response.destroy();
      })
      .finally(() => underWay.delete(answered));
    underWay.add(answered);
  });
  guard.keepAliveTimeout = 0;
  const port = await listen(guard);

  return {
    endpoint: `http://127.0.0.1:${port}`,
    async close() {
      await close(guard);
      // The tables would not survive a call that finds them closed.
      await Promise.all(underWay);
      agent.destroy();
    },
  };
}

function refuse(response: ServerResponse, type: string, message: string): void {
  response.writeHead(400, { 'Content-Type': 'application/x-amz-json-1.0' });
  response.end(JSON.stringify({ __type: `com.amazon.coral.service#${type}`, message }));
}

/** Why a call is denied, in the words of IAM; undefined when it is allowed. */
function denialOf(request: IncomingMessage, call: Call, statementsOf: StatementsOf): string | undefined {
  const accessKeyId = /Credential=([^/]+)\//.exec(request.headers.authorization ?? '')?.[1] ?? 'anonymous';
  const statements = statementsOf(accessKeyId);
  if (!statements) return undefined;

  const action = `dynamodb:${String(request.headers['x-amz-target']).split('.')[1]}`;
  const { TableName, IndexName } = call;
  // A call that names no one table, such as BatchGetItem, takes a permission for all of them.
  const table = TableName === undefined ? '*' : arn('dynamodb', `table/${TableName}`);
  const resource = IndexName === undefined ? table : `${table}/index/${IndexName}`;
  if (isAllowed(statements, action, resource)) return undefined;
  return `User: ${arn('sts', `assumed-role/${accessKeyId}`, '')} is not authorized to perform: ${action} on resource: ${resource}`;
}
