import { join } from 'node:path';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { buildSync } from 'esbuild';
import { bundleOptions } from '../../infra/service/bundle-options.ts';
import { respondAs, type StubCall, startStubDynamodb } from '../../test/support/functions/stub-dynamodb.ts';
import type { BenchedFunction } from './benched-functions.ts';
import { measureFunction } from './measure-function.ts';

/** Calls that succeed again. */
const repeatable: readonly string[] = ['GetItem', 'Query', 'Scan', 'PutItem'];

type Attributes = Readonly<Record<string, AttributeValue>>;

/** A call as DynamoDB gets it. */
type Call = Readonly<Record<string, unknown>> & {
  readonly Key?: Attributes;
  readonly ExclusiveStartKey?: Attributes;
  readonly ExpressionAttributeValues?: Attributes;
  readonly Item?: Attributes;
};

/**
 * Returns the plain handler, bundled like a function, with the function's last call to DynamoDB and the fields that
 * the function sends, or undefined if the call would not succeed again.
 */
export async function plainOf(own: BenchedFunction): Promise<BenchedFunction | undefined> {
  const { AWS_ENDPOINT_URL: endpoint = '' } = own.environment;
  const calls: StubCall[] = [];
  await using recorder = await startStubDynamodb((call, response) => {
    calls.push(call);
    return respondAs(endpoint, call, response);
  });
  const environment = { ...own.environment, AWS_ENDPOINT_URL: recorder.endpoint };
  const { response } = await measureFunction({ ...own, environment });
  const { action = '', body = '' } = calls.at(-1) ?? {};
  if (!repeatable.includes(action)) return undefined;

  const directory = join(own.directory, 'plain');
  const entryPoints = ['bin/bench/plain-handler.ts'];
  buildSync({ ...bundleOptions, entryPoints, entryNames: 'index', outdir: directory, write: true });
  return {
    ...own,
    directory,
    event: { action, input: inputOf(JSON.parse(body)), fields: fieldsOf(response) },
  };
}

/** Returns a call as the document client takes it: a put without its condition, and without what no client sees. */
function inputOf({ Key, ExclusiveStartKey, ExpressionAttributeValues, Item, ...call }: Call): object {
  if (Item) {
    const visible = Object.entries(Item).filter(([, value]) => value.B === undefined);
    return { TableName: call['TableName'], Item: native(Object.fromEntries(visible)) };
  }
  return {
    ...call,
    Key: native(Key),
    ExclusiveStartKey: native(ExclusiveStartKey),
    ExpressionAttributeValues: native(ExpressionAttributeValues),
  };
}

const native = (attributes: Attributes | undefined) =>
  attributes && unmarshall(attributes, { wrapNumbers: Number });

/** Returns the names of the fields in a response, or of the first item. The authorizer's has no body. */
function fieldsOf({ body }: { readonly body?: string }): readonly string[] | undefined {
  return body === undefined ? undefined : Object.keys([JSON.parse(body)].flat()[0] ?? {});
}
