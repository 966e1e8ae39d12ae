import { DefaultStackSynthesizer, Fn } from 'aws-cdk-lib/core';
import { apiVersion } from '../../shared/service.ts';
import { copyPrefix, stackName, tablePrefix } from '../stack-names.ts';

/** The stack with a stage's roles and policies, all of which are named after the stack. */
export const accessStackName = (stage: string) => `${stackName(stage)}-access` as const;

/** The roles of people. A person may assume several, one at a time. */
export const personRoles = ['deploy', 'keys', 'on-call', 'reader', 'restore'] as const;

export type PersonRole = (typeof personRoles)[number];

export const roleName = (stage: string, role: PersonRole | 'pipeline-deploy' | 'pipeline-read') =>
  `${accessStackName(stage)}-${role}` as const;

/** The most that any role of a stage's stack may do, whatever the role's own policies say. */
export const boundaryName = (stage: string) => `${accessStackName(stage)}-boundary` as const;

/** The policy of the bootstrap's role with which CloudFormation deploys a stage. */
export const cloudFormationPolicyName = (stage: string) =>
  `${accessStackName(stage)}-cloudformation` as const;

/** The principal that may assume a role until somebody says who may: no account has this number. */
export const nobody = 'arn:aws:iam::000000000000:role/nobody';

/** Returns an ARN of the account and region in which the access stack is deployed. */
export const arn = (service: string, resource: string) =>
  Fn.sub(`arn:\${AWS::Partition}:${service}:\${AWS::Region}:\${AWS::AccountId}:${resource}`);

/** Returns an ARN of the account whose service has no regions; `resource` may have `${AWS::…}`, too. */
export const globalArn = (service: string, resource: string) =>
  Fn.sub(`arn:\${AWS::Partition}:${service}::\${AWS::AccountId}:${resource}`);

/** Returns an ARN of API Gateway, which omits the account. */
export const apiGatewayArn = (path: string) =>
  Fn.sub(`arn:\${AWS::Partition}:apigateway:\${AWS::Region}::${path}`);

/** In AWS WAF's permissions, the ARN of an API's stage may have an account. */
export const apiGatewayArnsForWaf = (path: string) => [apiGatewayArn(path), arn('apigateway', path)];

/** Part of the names of what the CDK's bootstrap creates. */
const { DEFAULT_QUALIFIER: qualifier } = DefaultStackSynthesizer;

type BootstrapRole = 'cfn-exec' | 'file-publishing';

export const bootstrapRoleName = (
  name: BootstrapRole,
  account = `\${AWS::AccountId}`,
  region = `\${AWS::Region}`,
) => `cdk-${qualifier}-${name}-role-${account}-${region}` as const;

export const bootstrapRoleArn = (name: BootstrapRole) => globalArn('iam', `role/${bootstrapRoleName(name)}`);

/** What a deploy reads of the bootstrap: templates, code, and its version. */
export const bootstrapArns = [
  Fn.sub(`arn:\${AWS::Partition}:s3:::cdk-${qualifier}-assets-\${AWS::AccountId}-\${AWS::Region}/*`),
  arn('ssm', `parameter/cdk-bootstrap/${qualifier}/version`),
];

/**
 * The stage of an API, whose id is generated: combine it with a condition on the API's tags.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-tagging-iam-policy.html
 */
export const apiStage = `/restapis/*/stages/${apiVersion}`;

/** The tables of a stage, and their copies. */
export const tableArns = (stage: string) => arn('dynamodb', `table/${stackName(stage)}-*`);

export const keyTableArns = (stage: string) => arn('dynamodb', `table/${tablePrefix(stage, 'apiKeys')}*`);

/** The copies of a stage's tables, of one or of all. */
export const copyArns = (stage: string, id = '') => arn('dynamodb', `table/${copyPrefix(stage)}${id}*`);

export const functionArns = (stage: string) => arn('lambda', `function:${stackName(stage)}-*`);

export const deploymentGroupArns = (stage: string) =>
  arn('codedeploy', `deploymentgroup:${stackName(stage)}-*`);

/** The stack of a stage and its access stack. */
export const stackArns = (stage: string) => [
  arn('cloudformation', `stack/${stackName(stage)}/*`),
  arn('cloudformation', `stack/${accessStackName(stage)}/*`),
];
