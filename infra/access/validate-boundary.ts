import type { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { CfnResource, type Stack, Token } from 'aws-cdk-lib/core';
import * as v from 'valibot';
import { awsPolicies } from './boundary.ts';

/**
 * Fails the synthesis if a stack has a permission that the permissions boundary lacks. AWS would deploy it, and deny
 * the call.
 *
 * @example
 * ```ts
 * queue.grantSendMessages(listPets);
 * // A policy of the template: { Effect: 'Allow', Action: ['sqs:SendMessage', …], Resource: { 'Fn::GetAtt': […] } }
 * app.synth();
 * // Error: ListPets/Role may not sqs:SendMessage, …: its permissions boundary would deny it. Allow it in …
 * ```
 */
export function validateBoundary(stack: Stack, boundary: readonly PolicyStatement[]): void {
  const validate = () => {
    const allows = readBoundary(stack, boundary);
    return stack.node
      .findAll()
      .filter(CfnResource.isCfnResource)
      .filter(({ cfnResourceType }) => /^AWS::(IAM::|Lambda::Function$)/.test(cfnResourceType))
      .flatMap((resource) => problemsOf(resource, allows));
  };
  stack.node.addValidation({ validate });
}

const OneOrMore = v.pipe(
  v.optional(v.unknown(), '*'),
  v.transform((value) => [value].flat()),
);

/** `NotAction` and `NotResource` count as everything. */
const Statement = v.object({ Effect: v.string(), Action: OneOrMore, Resource: OneOrMore });

const PolicyDocument = v.object({ Statement: v.array(Statement) });

/** The properties of roles, policies and functions that let a function do something. */
const Properties = v.object({
  PolicyDocument: v.optional(PolicyDocument, { Statement: [] }),
  Policies: v.optional(v.array(v.object({ PolicyDocument })), []),
  ManagedPolicyArns: v.optional(v.array(v.unknown()), []),
  VpcConfig: v.optional(v.unknown()),
});

const Template = v.object({ Resources: v.record(v.string(), v.object({ Properties })) });

/** What Lambda does as a function in a VPC. The CDK allows it only to a role that it creates itself. */
const vpcStatement = { Effect: 'Allow', Action: ['ec2:CreateNetworkInterface'], Resource: ['*'] };

const remedy =
  'its permissions boundary would deny it. Allow it in infra/access/boundary.ts too, and have an administrator deploy ' +
  'the access stack first: docs/access.md. What an operation does with tables belongs in ' +
  'infra/settings/limits-and-permissions.ts.';

const instead =
  'grant what it allows instead, or name it in infra/access/boundary.ts if the boundary allows all that it is for.';

/** Whether the boundary allows an action on a resource. */
type Boundary = (action: string, arn: string) => boolean;

function readBoundary(stack: Stack, boundary: readonly PolicyStatement[]): Boundary {
  const allowed = boundary.map(({ actions, resources }) => ({
    actions,
    resources: resources.map((resource) => arnText(stack, stack.resolve(resource))),
  }));
  return (action, arn) =>
    allowed.some(
      ({ actions, resources }) =>
        // In policies, actions have any case.
        actions.some((pattern) => covers(pattern.toLowerCase(), action.toLowerCase())) &&
        // Its generated name, which only a deploy knows, begins with that of the stack.
        (isGenerated(arn) || resources.some((pattern) => covers(pattern, arn))),
    );
}

function problemsOf(resource: CfnResource, allows: Boundary): string[] {
  const { stack } = resource;
  const path = resource.node.path.replaceAll(/^[^/]*\/|(\/DefaultPolicy)?(\/Resource)?$/g, '');
  const { Resources } = v.parse(Template, stack.resolve(resource._toCloudFormation()));
  return Object.values(Resources).flatMap(({ Properties }) => {
    const { Policies, ManagedPolicyArns, VpcConfig } = Properties;
    const documents = [Properties.PolicyDocument, ...Policies.map((policy) => policy.PolicyDocument)];
    const statements = documents.flatMap((document) => document.Statement);
    const denied = [...statements, ...(VpcConfig === undefined ? [] : [vpcStatement])]
      .filter(({ Effect }) => Effect === 'Allow')
      .flatMap(({ Action, Resource }) => {
        const arns = Resource.map((arn) => arnText(stack, arn));
        return Action.map(String).filter((action) => !arns.every((arn) => allows(action, arn)));
      });
    const managed = ManagedPolicyArns.map((arn) => arnText(stack, arn)).filter(
      (arn) => !awsPolicies.some((name) => arn.endsWith(`:iam::aws:policy/${name}`)),
    );
    return [
      ...(denied.length === 0 ? [] : [`${path} may not ${denied.join(', ')}: ${remedy}`]),
      ...managed.map((arn) => `${path} has the managed policy ${arn}: ${instead}`),
    ];
  });
}

const Intrinsic = v.object({
  Ref: v.optional(v.string()),
  'Fn::Join': v.optional(v.tuple([v.string(), v.array(v.unknown())])),
  'Fn::Sub': v.optional(v.unknown()),
});

/** Returns an ARN of a template as text, in which `${…}` is what only a deploy knows. */
function arnText(stack: Stack, arn: unknown): string {
  if (typeof arn === 'string') return arn;
  const { Ref, 'Fn::Join': join, 'Fn::Sub': sub } = v.parse(Intrinsic, arn);
  const [separator, parts] = join ?? ['', []];
  const template = typeof sub === 'string' ? sub : `\${${Ref ?? 'generated'}}`;
  const text = join ? parts.map((part) => arnText(stack, part)).join(separator) : template;
  const { account, partition, region } = stack;
  const known = { 'AWS::AccountId': account, 'AWS::Partition': partition, 'AWS::Region': region };
  return Object.entries(known)
    .filter(([, value]) => !Token.isUnresolved(value))
    .reduce((resolved, [name, value]) => resolved.replaceAll(`\${${name}}`, value), text);
}

const isGenerated = (arn: string) => /\$\{(?!AWS::)/.test(arn);

/** Returns whether a pattern of IAM, with `*` for any text and `?` for a character, covers a value or a pattern. */
function covers(pattern: string, value: string): boolean {
  const source = pattern
    .split('*')
    .map((part) => part.split('?').map(RegExp.escape).join('[^*]'))
    .join('.*');
  return new RegExp(`^${source}$`).test(value);
}
