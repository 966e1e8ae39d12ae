import * as v from 'valibot';
import { arn } from '../template/account.ts';
import { isAllowed, type Statement } from '../template/policy.ts';
import { printableLine } from '../text/printable.ts';
import {
  accessKeyIdOf,
  type Dynamodb,
  type DynamodbRequest,
  operationOf,
  refuse,
} from './embedded-dynamodb.ts';

/** What the policies of a role say, by the access key id that stands for the role; undefined: may do everything. */
export type StatementsOf = (accessKeyId: string) => readonly Statement[] | undefined;

const Target = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ TableName: v.optional(v.string()), IndexName: v.optional(v.string()) }),
);

/** A DynamoDB that refuses what the caller's policies do not allow with AccessDeniedException. */
export const withPolicies = (dynamodb: Dynamodb, statementsOf: StatementsOf): Dynamodb => ({
  async respond(request) {
    const denial = denialOf(request, statementsOf);
    if (denial === undefined) return dynamodb.respond(request);
    console.error(printableLine(denial));
    return refuse('AccessDeniedException', denial);
  },
});

/** Why a request is denied, in the words of IAM; undefined when it is allowed. */
function denialOf(
  { target, authorization, body }: DynamodbRequest,
  statementsOf: StatementsOf,
): string | undefined {
  const accessKeyId = accessKeyIdOf(authorization) ?? 'anonymous';
  const statements = statementsOf(accessKeyId);
  if (!statements) return undefined;

  const action = `dynamodb:${operationOf(target)}`;
  const { TableName, IndexName } = v.parse(v.fallback(Target, {}), body);
  // A call that names no one table, such as BatchGetItem, takes a permission for all of them.
  const table = TableName === undefined ? '*' : arn('dynamodb', `table/${TableName}`);
  const resource = IndexName === undefined ? table : `${table}/index/${IndexName}`;
  if (isAllowed(statements, action, resource)) return undefined;
  return `User: ${arn('sts', `assumed-role/${accessKeyId}`, '')} is not authorized to perform: ${action} on resource: ${resource}`;
}
