import * as v from 'valibot';
import { account } from '../../../bin/local-api/template/account.ts';
import { resolveIntrinsics } from '../../../bin/local-api/template/intrinsics.ts';
import { matches } from '../../../bin/local-api/template/policy.ts';
import { resourcesOf } from './template.ts';

const oneOrMore = v.pipe(
  v.union([v.string(), v.array(v.string())]),
  v.transform((value) => [value].flat()),
);

/** A parameter with a list is one text with commas, which occur nowhere else in a condition. */
const values = v.pipe(
  oneOrMore,
  v.transform((texts) => texts.flatMap((text) => text.split(','))),
);

/** The operators that our policies use; any other is rejected, not ignored. */
const Operator = v.picklist(['ArnEquals', 'ArnLike', 'Bool', 'StringEquals', 'StringLike']);

export const Statement = v.strictObject({
  Sid: v.optional(v.string()),
  Effect: v.picklist(['Allow', 'Deny']),
  Action: oneOrMore,
  Resource: v.optional(oneOrMore, []),
  NotResource: v.optional(oneOrMore, []),
  Principal: v.optional(v.record(v.string(), oneOrMore), {}),
  Condition: v.optional(v.record(Operator, v.record(v.string(), values)), {}),
});
export type Statement = v.InferOutput<typeof Statement>;

const Document = v.strictObject({ Version: v.literal('2012-10-17'), Statement: v.array(Statement) });

const Role = v.object({
  RoleName: v.optional(v.string()),
  AssumeRolePolicyDocument: Document,
  PermissionsBoundary: v.optional(v.string()),
  Policies: v.optional(v.array(v.object({ PolicyDocument: Document })), []),
});

/** A policy that a grant attaches to a role. */
const Policy = v.object({ Roles: v.array(v.string()), PolicyDocument: Document });

const ManagedPolicy = v.object({ ManagedPolicyName: v.string(), PolicyDocument: Document });

export interface Request {
  readonly action: string;
  readonly resource: string;
  readonly principal?: string;
  /** The values of condition keys; a key that is missing matches nothing. By default, no service calls. */
  readonly context?: Readonly<Record<string, string>>;
}

/** The account and region that the templates of tests are for. */
const { id: accountId, region } = account;

/**
 * Returns whether statements allow a request and none denies it. This is a model of IAM, as far as our
 * policies need it, and not IAM itself.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_evaluation-logic.html
 */
export function isPermitted(statements: readonly Statement[], request: Request): boolean {
  const effects = statements.filter((statement) => applies(statement, request)).map(({ Effect }) => Effect);
  return effects.includes('Allow') && !effects.includes('Deny');
}

function applies(statement: Statement, { action, resource, principal, ...request }: Request): boolean {
  const context: Request['context'] = { 'aws:ViaAWSService': 'false', ...request.context };
  const { Action, Resource, NotResource, Principal, Condition } = statement;
  const isAny = (patterns: readonly string[], value: string) =>
    patterns.some((pattern) => matches(pattern, value));
  const holds = (operator: string, expected: Readonly<Record<string, readonly string[]>>) =>
    Object.entries(expected).every(([key, values]) => {
      const actual = context[key];
      if (actual === undefined) return false;
      // ArnEquals has wildcards too.
      return /^Bool$|^StringEquals$/.test(operator) ? values.includes(actual) : isAny(values, actual);
    });

  return (
    isAny(
      Action.map((pattern) => pattern.toLowerCase()),
      action.toLowerCase(),
    ) &&
    (principal === undefined
      ? (NotResource.length > 0 && !isAny(NotResource, resource)) || isAny(Resource, resource)
      : Object.values(Principal).flat().includes(principal)) &&
    Object.entries(Condition).every(([operator, expected]) => holds(operator, expected))
  );
}

/** How the ARN of a resource ends, by type, for what the policies of a stack refer to. */
const arnSuffixes: Readonly<Record<string, (name: string) => string>> = {
  'AWS::DynamoDB::GlobalTable': (name) => `dynamodb:${region}:${accountId}:table/${name}`,
  'AWS::IAM::ManagedPolicy': (name) => `iam::${accountId}:policy/${name}`,
  'AWS::IAM::Role': (name) => `iam::${accountId}:role/${name}`,
  'AWS::Lambda::Function': (name) => `lambda:${region}:${accountId}:function:${name}`,
  'AWS::Logs::LogGroup': (name) => `logs:${region}:${accountId}:log-group:${name}:*`,
  'AWS::SNS::Topic': (name) => `sns:${region}:${accountId}:${name}`,
  'AWS::SQS::Queue': (name) => `sqs:${region}:${accountId}:${name}`,
};

const generatedName = (stack: string, id: string) => `${stack}-${id}-1A2B3C`;

/** Returns a function that resolves a stack's template as CloudFormation does, with generated names. */
function resolverOf(stack: string, template: unknown, parameters: Readonly<Record<string, string>>) {
  const resources = resourcesOf(template);
  const pseudo: Readonly<Record<string, string>> = {
    'AWS::AccountId': accountId,
    'AWS::Partition': 'aws',
    'AWS::Region': region,
  };
  const arnOf = (id: string) => {
    const type = `${resources[id]?.Type}`;
    const suffix = arnSuffixes[type]?.(nameOf(id));
    if (suffix === undefined)
      throw new Error(`test/support/infra/iam.ts does not know the ARN of an ${type}.`);
    return `arn:aws:${suffix}`;
  };
  const nameOf = (id: string) => generatedName(stack, id);
  return (value: unknown) =>
    resolveIntrinsics(withoutConditions(value), {
      ref: (id) =>
        pseudo[id] ?? parameters[id] ?? (resources[id]?.Type === 'AWS::SNS::Topic' ? arnOf(id) : nameOf(id)),
      getAtt: arnOf,
    });
}

/** Takes the second branch of each `Fn::If`, as in an account that already has what the condition creates. */
function withoutConditions(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(withoutConditions);
  const { 'Fn::If': branches } = v.parse(
    v.looseObject({ 'Fn::If': v.optional(v.array(v.unknown())) }),
    value,
  );
  if (branches) return withoutConditions(branches[2]);
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withoutConditions(member)]));
}

/** Returns the roles of a stack by their name, or by their logical id if CloudFormation names them. */
export function rolesOf(stack: string, template: unknown, parameters: Readonly<Record<string, string>> = {}) {
  const resolve = resolverOf(stack, template, parameters);
  const attached = Object.values(resourcesOf(template))
    .filter(({ Type }) => Type === 'AWS::IAM::Policy')
    .map(({ Properties }) => v.parse(Policy, resolve(Properties)));
  const roles = Object.entries(resourcesOf(template))
    .filter(([, { Type }]) => Type === 'AWS::IAM::Role')
    .map(([id, { Properties }]) => {
      const role = v.parse(Role, resolve(Properties));
      const policies = [
        ...role.Policies,
        ...attached.filter(({ Roles }) => Roles.includes(generatedName(stack, id))),
      ];
      return [
        role.RoleName ?? id,
        {
          statements: policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement),
          trust: role.AssumeRolePolicyDocument.Statement,
          boundary: role.PermissionsBoundary,
          inlineSize: JSON.stringify(policies.map(({ PolicyDocument }) => PolicyDocument)).length,
        },
      ] as const;
    });
  return new Map(roles);
}

/** Returns the statements of a stack's managed policy. */
export function managedPolicy(stack: string, template: unknown, name: string) {
  const resolve = resolverOf(stack, template, {});
  const policies = Object.values(resourcesOf(template))
    .filter(({ Type }) => Type === 'AWS::IAM::ManagedPolicy')
    .map(({ Properties }) => v.parse(ManagedPolicy, resolve(Properties)));
  const found = policies.find(({ ManagedPolicyName }) => ManagedPolicyName === name);
  if (!found) throw new Error(`The template has no managed policy ${name}.`);
  return {
    statements: found.PolicyDocument.Statement,
    size: JSON.stringify(found.PolicyDocument).length,
  };
}
