import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { isAllowed, matches, PolicyDocument, type Statement } from '../../infra/local/template/policy.ts';

/** The policies of each role; the on-call and restore roles also have the reader's. */
const roles = {
  deploy: ['deploy'],
  keys: ['keys'],
  onCall: ['on-call', 'read-only'],
  reader: ['read-only'],
  restore: ['restore', 'read-only'],
  /** Sets up an account, with a policy of its organization. */
  administrator: [],
} as const;
type Role = keyof typeof roles;

const arn = (service: string, resource: string) => `arn:aws:${service}:eu-central-1:111111111111:${resource}`;
const stack = arn('cloudformation', 'stack/PetStore-production/0a1b');
const fn = arn('lambda', 'function:PetStore-production-GetPetFunction0A1B');
const pets = arn('dynamodb', 'table/PetStore-production-TablesPets0A1B');
const keys = arn('dynamodb', 'table/PetStore-production-TablesApiKeys0A1B');
const restored = arn('dynamodb', 'table/pet-store-pets-202611220300');
const restoredKeys = arn('dynamodb', 'table/pet-store-keys-202611220300');
const deployments = arn('codedeploy', 'deploymentgroup:PetStore-production-Releases0A1B/x');
const api = (path: string) => `arn:aws:apigateway:eu-central-1::${path}`;
const apiStage = api('/restapis/0a1b2c3d4e/stages/v1');
const cache = `${apiStage}/cache/authorizers`;
const commit = arn('ssm', 'parameter/PetStore-production/commit');
const bootstrapRole = (name: string) =>
  `arn:aws:iam::111111111111:role/cdk-hnb659fds-${name}-role-111111111111-eu-central-1`;

/** DynamoDB reads and writes the target of a restore with the caller's permissions. */
const onTarget = ['BatchWriteItem', 'DeleteItem', 'GetItem', 'PutItem', 'Query', 'Scan', 'UpdateItem'];
const restoring = (action: string) => [
  [`dynamodb:${action}`, pets] as const,
  ...[action, ...onTarget].map((name) => [`dynamodb:${name}`, restored] as const),
];
const on = (resource: string, ...actions: string[]) => actions.map((action) => [action, resource] as const);
const onKeys = (...actions: string[]) =>
  [keys, restoredKeys].flatMap((table) => actions.map((action) => [`dynamodb:${action}`, table] as const));
/** A restored table can be the one in use. */
const onPets = (action: string) => [pets, restored].map((table) => [`dynamodb:${action}`, table] as const);
const findStack = ['cloudformation:DescribeStacks', stack] as const;

/** Who runs each command in runbook.md and deploying.md, and the actions that AWS then authorizes. */
const commands: Readonly<Record<string, readonly [Role, ...(readonly [string, string])[]]>> = {
  'aws acm describe-certificate': ['onCall', ['acm:DescribeCertificate', arn('acm', 'certificate/0a1b')]],
  'aws acm request-certificate': ['administrator'],
  'aws apigateway flush-stage-authorizers-cache': ['onCall', ['apigateway:DELETE', cache]],
  'aws apigateway get-account': ['onCall', ['apigateway:GET', api('/account')]],
  'aws apigateway get-stage': ['onCall', ['apigateway:GET', apiStage]],
  'aws apigateway update-stage': ['restore', ['apigateway:PATCH', apiStage]],
  'aws cloudformation continue-update-rollback': ['onCall', ['cloudformation:ContinueUpdateRollback', stack]],
  'aws cloudformation describe-stack-events': ['onCall', ['cloudformation:DescribeStackEvents', stack]],
  'aws cloudformation describe-stacks': ['reader', findStack],
  'aws cloudformation list-stack-resources': ['onCall', ['cloudformation:ListStackResources', stack]],
  'aws cloudformation update-termination-protection': ['administrator'],
  'aws deploy list-deployments': ['onCall', ['codedeploy:ListDeployments', deployments]],
  'aws deploy stop-deployment': ['onCall', ['codedeploy:StopDeployment', '*']],
  'aws dynamodb delete-item': ['onCall', ...onPets('DeleteItem')],
  'aws dynamodb delete-table': ['restore', ...onPets('DeleteTable')],
  'aws dynamodb describe-continuous-backups': ['restore', ...onPets('DescribeContinuousBackups')],
  'aws dynamodb describe-table': ['restore', ['dynamodb:DescribeTable', restored]],
  'aws dynamodb get-item': ['onCall', ...onPets('GetItem')],
  'aws dynamodb list-backups': ['restore', ['dynamodb:ListBackups', '*']],
  'aws dynamodb put-item': ['onCall', ...onPets('PutItem')],
  'aws dynamodb restore-table-from-backup': ['restore', ...restoring('RestoreTableFromBackup')],
  'aws dynamodb restore-table-to-point-in-time': ['restore', ...restoring('RestoreTableToPointInTime')],
  'aws dynamodb tag-resource': ['restore', ['dynamodb:TagResource', restored]],
  'aws dynamodb update-continuous-backups': ['restore', ['dynamodb:UpdateContinuousBackups', restored]],
  'aws dynamodb update-table': ['restore', ...onPets('UpdateTable')],
  'aws dynamodb update-time-to-live': ['restore', ['dynamodb:UpdateTimeToLive', restoredKeys]],
  // Gives up after 500 seconds: the runbook says so, and loops instead.
  'aws dynamodb wait': ['restore', ['dynamodb:DescribeTable', restored]],
  'aws lambda get-account-settings': ['reader', ['lambda:GetAccountSettings', '*']],
  'aws lambda get-alias': ['onCall', ['lambda:GetAlias', fn]],
  'aws lambda list-versions-by-function': ['onCall', ['lambda:ListVersionsByFunction', fn]],
  'aws lambda update-alias': ['onCall', ['lambda:UpdateAlias', fn]],
  'aws ssm get-parameter-history': ['onCall', ['ssm:GetParameterHistory', commit]],
  'aws configure sso': ['reader'],
  'aws sso login': ['reader'],
  'aws sts get-caller-identity': ['reader'],
  'npm run keys -- issue': ['keys', findStack, ...onKeys('PutItem')],
  'npm run keys -- list': ['keys', findStack, ...onKeys('Scan')],
  'npm run keys -- revoke': ['keys', findStack, ...onKeys('GetItem', 'Scan', 'UpdateItem')],
  'npx cdk bootstrap': ['administrator'],
  'npx cdk deploy': ['deploy', ['sts:AssumeRole', bootstrapRole('deploy')]],
  'npx cdk destroy': ['deploy', ['sts:AssumeRole', bootstrapRole('deploy')]],
  'npx cdk diff': ['reader', ['sts:AssumeRole', bootstrapRole('lookup')]],
  // CloudFormation reads every resource with the caller's permissions: add AWS's ReadOnlyAccess.
  'npx cdk drift': [
    'reader',
    ...on('*', 'cloudformation:DescribeStackDriftDetectionStatus'),
    ...on(stack, 'cloudformation:DetectStackDrift', 'cloudformation:DetectStackResourceDrift'),
    ...on(stack, 'cloudformation:DescribeStackResourceDrifts', 'cloudformation:GetTemplate'),
  ],
  'npx cdk import': ['deploy', ['sts:AssumeRole', bootstrapRole('deploy')]],
  // In the console.
  'Open the dashboard': [
    'reader',
    ...on('*', 'cloudwatch:DescribeAlarms', 'cloudwatch:GetDashboard', 'cloudwatch:GetMetricData'),
  ],
  'Logs Insights': [
    'reader',
    ...on('*', 'logs:DescribeLogGroups', 'logs:DescribeQueryDefinitions'),
    ...on('*', 'logs:GetQueryResults', 'logs:StartQuery'),
  ],
};

const docs = ['docs/runbook.md', 'docs/deploying.md'].map((path) => readFileSync(path, 'utf8')).join('\n');
const found = new Set(
  docs.match(/\baws [a-z0-9-]+ [a-z0-9-]+|\bnpx cdk [a-z]+|\bnpm run (?:-s )?keys -- [a-z]+/g) ?? [],
);
const statementsOf = (policy: string): Statement[] =>
  v.parse(PolicyDocument, JSON.parse(readFileSync(`docs/policies/${policy}.json`, 'utf8'))).Statement;

describe('a command in the runbook or deploying guide', () => {
  it.each([...found])('is assigned to a role: %s', (command) => {
    expect(Object.keys(commands)).toContain(command);
  });

  it.each(Object.keys(commands))('is documented: %s', (command) => {
    expect(docs).toContain(command);
  });

  it.each(Object.entries(commands))('is allowed by its role: %s', (_command, [role, ...needs]) => {
    const statements = roles[role].flatMap(statementsOf);

    expect(needs.filter(([action, resource]) => !isAllowed(statements, action, resource))).toEqual([]);
  });
});

const policies = ['deploy', 'keys', 'on-call', 'read-only', 'restore'] as const;

it.each(policies)('a policy grants nothing that no command needs: %s', (policy) => {
  const needs = Object.values(commands).flatMap(([role, ...actions]) =>
    roles[role].some((name) => name === policy) ? actions : [],
  );

  const unused = statementsOf(policy).flatMap(({ Action, Resource }) => [
    ...Action.filter((pattern) => !needs.some(([action]) => matches(pattern, action))),
    ...Resource.filter((pattern) => !needs.some(([, resource]) => matches(pattern, resource))),
  ]);
  expect(unused).toEqual([]);
});
