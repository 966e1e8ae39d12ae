import { globSync, readFileSync } from 'node:fs';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { matches } from '../../../bin/local-api/template/policy.ts';
import { access } from '../../support/infra/access.ts';
import { isPermitted, Statement } from '../../support/infra/iam.ts';
import { requestOfCommand } from '../../support/infra/iam-requests.ts';
import { everySetting } from '../../support/infra/stage-settings.ts';
import { productionTemplate } from '../../support/infra/synthesize.ts';
import { resourcesOf } from '../../support/infra/template.ts';

const { actionsOf, statementsOf, cloudFormation } = access;

/** The roles that the runbook, restore.md and deploying.md name; the organization decides what the first two may do. */
const organizationRoles = ['administrator', 'operator'];
const personRoles = ['deploy', 'keys', 'on-call', 'reader', 'restore'];
const ownRoles = [...personRoles, 'pipeline-deploy', 'pipeline-read'];

const resources = resourcesOf(productionTemplate(everySetting));
const services = [
  ...new Set(Object.values(resources).map(({ Type }) => `${Type.split('::')[1]}`.toLowerCase())),
];

it('CloudFormation may use the services of the stacks', () => {
  const actions = cloudFormation.statements.flatMap(({ Action }) => Action);

  const used = new Set(actions.map((action) => action.replace(/:.*/, '')));
  // CloudFormation asks for a table's scaling, and the functions' code is in the bootstrap's bucket.
  expect([...used].toSorted()).toEqual([...services, 'application-autoscaling', 's3'].toSorted());
});

it.each(['CloudFormation', ...ownRoles])('a policy allows only what the stacks have: %s', (role) => {
  const statements = role === 'CloudFormation' ? cloudFormation.statements : statementsOf(role);
  const patterns = statements
    .filter(({ Effect }) => Effect === 'Allow')
    .flatMap(({ Resource }) => Resource.filter((name) => name !== '*'));

  const service = new RegExp(`^arn:aws:(${[...services, 'acm', 'cloudformation', 's3'].join('|')}):`);
  const others = patterns.filter((pattern) => {
    const [, logicalId = ''] = /PetStore-production-(?!access|restored)(\w+)/.exec(pattern) ?? [];
    return !service.test(pattern) || !Object.keys(resources).some((id) => id.startsWith(logicalId));
  });
  expect(patterns).not.toEqual([]);
  expect(others).toEqual([]);
});

const table = (name: string) => `arn:aws:dynamodb:us-east-1:123456789012:table/${name}`;
const pets = table('PetStore-production-TablesPets0A1B');
const keys = table('PetStore-production-TablesApiKeys0A1B');
const restored = (stage: string, id: string) => table(`PetStore-${stage}-restored-${id}-202611220300`);
const log =
  'arn:aws:logs:us-east-1:123456789012:log-group:PetStore-production-CreatePetLogs0A1B:log-stream:x';
const apiStage = 'arn:aws:apigateway:us-east-1::/restapis/0a1b2c/stages/v1';
const deploymentGroup = (stage: string) =>
  `arn:aws:codedeploy:us-east-1:123456789012:deploymentgroup:PetStore-${stage}-Releases0A1B/ListPets0A1B`;
const stack = (name: string) => `arn:aws:cloudformation:us-east-1:123456789012:stack/${name}/1`;
const topic = 'arn:aws:sns:us-east-1:123456789012:PetStore-production-MonitoringTopicsPage0A1B';
const parameter = (name: string) =>
  `arn:aws:ssm:us-east-1:123456789012:parameter/PetStore-production/${name}`;
const bootstrapRole = (name: string) =>
  `arn:aws:iam::123456789012:role/cdk-hnb659fds-${name}-role-123456789012-us-east-1`;
const tagged = (stage: string) => ({
  'aws:ResourceTag/service': 'pet-store',
  'aws:ResourceTag/stage': stage,
});

/** AWS's ReadOnlyAccess allows less: what is denied here must be denied explicitly. */
const everything = v.parse(Statement, { Effect: 'Allow', Action: '*', Resource: '*' });

it.each([
  ['restore', 'dynamodb:DeleteTable', pets],
  ['restore', 'dynamodb:UpdateTable', restored('production', 'pets')],
  ['restore', 'dynamodb:DeleteTable', restored('staging', 'pets')],
  ['restore', 'dynamodb:PutItem', restored('staging', 'pets')],
  ['keys', 'dynamodb:PutItem', pets],
  ['keys', 'dynamodb:Scan', restored('production', 'apiKeys')],
  ['on-call', 'dynamodb:DeleteItem', restored('staging', 'pets')],
  ['on-call', 'dynamodb:PutItem', restored('production', 'apiKeys')],
  ['on-call', 'dynamodb:PutItem', keys],
  ['on-call', 'codedeploy:ListDeployments', deploymentGroup('staging')],
  ['on-call', 'cloudformation:CancelUpdateStack', stack('PetStore-staging')],
  ['on-call', 'cloudformation:CancelUpdateStack', stack('PetStore-production-access')],
  ['deploy', 'dynamodb:GetItem', pets],
  ['deploy', 'cloudformation:CreateStack', stack('PetStore-production')],
  ['pipeline-deploy', 'iam:CreateRole', 'arn:aws:iam::123456789012:role/Admin'],
  ['pipeline-read', 'sts:AssumeRole', bootstrapRole('lookup')],
  ['pipeline-read', 'dynamodb:PutItem', keys],
])('%s may not %s on %s', (role, action, resource) => {
  expect(isPermitted(statementsOf(role), { action, resource })).toBe(false);
});

it.each([
  ['reader', 'dynamodb:Scan', pets],
  ['reader', 'dynamodb:GetItem', pets],
  ['reader', 'dynamodb:GetItem', keys],
  ['pipeline-read', 'dynamodb:GetItem', pets],
  ['pipeline-read', 'dynamodb:BatchGetItem', pets],
  ['pipeline-read', 'dynamodb:Query', `${pets}/index/byStatus`],
  ['pipeline-read', 'dynamodb:Scan', keys],
  ['pipeline-read', 'dynamodb:PartiQLSelect', keys],
  ['pipeline-read', 'logs:StartQuery', log],
  ['pipeline-read', 'logs:FilterLogEvents', log],
])('%s may not %s, even with ReadOnlyAccess, on %s', (role, action, resource) => {
  expect(isPermitted([everything, ...statementsOf(role)], { action, resource })).toBe(false);
});

it.each([
  ['keys', 'dynamodb:PutItem', keys],
  ['restore', 'dynamodb:PutItem', restored('production', 'pets')],
  ['restore', 'dynamodb:RestoreTableFromBackup', `${pets}/backup/01`],
  // What puts items back.
  ['restore', 'cloudformation:DescribeStacks', stack('PetStore-production')],
  ['restore', 'dynamodb:DescribeTable', restored('production', 'pets')],
  ['restore', 'dynamodb:Scan', restored('production', 'apiKeys')],
  ['restore', 'dynamodb:BatchGetItem', restored('production', 'apiKeys')],
  ['restore', 'dynamodb:BatchGetItem', keys],
  ['restore', 'dynamodb:PutItem', keys],
  ['restore', 'dynamodb:PutItem', pets],
  ['restore', 'dynamodb:DeleteTable', restored('production', 'pets')],
  ['on-call', 'codedeploy:ListDeployments', deploymentGroup('production')],
  ['on-call', 'codedeploy:StopDeployment', '*'],
  ['on-call', 'cloudformation:CancelUpdateStack', stack('PetStore-production')],
])('%s may %s on %s', (role, action, resource) => {
  expect(isPermitted(statementsOf(role), { action, resource })).toBe(true);
});

describe.each(['deploy', 'pipeline-deploy'])('%s', (role) => {
  const statements = statementsOf(role);
  const mayPass = (name: string, service: string) =>
    isPermitted(statements, {
      action: 'iam:PassRole',
      resource: bootstrapRole(name),
      context: { 'iam:PassedToService': `${service}.amazonaws.com` },
    });

  it('may assume no role but the one that publishes files', () => {
    const assuming = statements.filter(({ Action }) => Action.some((name) => /^(\*|sts:)/.test(name)));

    expect(assuming).toMatchObject([
      { Effect: 'Allow', Action: ['sts:AssumeRole'], Resource: [bootstrapRole('file-publishing')] },
    ]);
  });

  it('may pass no role but the one with which CloudFormation deploys, to nothing else', () => {
    expect(mayPass('cfn-exec', 'cloudformation')).toBe(true);
    expect(mayPass('cfn-exec', 'lambda')).toBe(false);
    expect(mayPass('deploy', 'cloudformation')).toBe(false);
  });

  it.each([
    'cloudformation:CreateChangeSet',
    'cloudformation:DeleteStack',
    'cloudformation:ExecuteChangeSet',
    'cloudformation:UpdateTerminationProtection',
  ])("may %s of the stage's own stack only", (action) => {
    const others = ['CDKToolkit', 'Other', 'PetStore-productions', 'PetStore-production-access'];
    const mayChange = (name: string) => isPermitted(statements, { action, resource: stack(name) });

    expect(['PetStore-production', ...others].filter(mayChange)).toEqual(['PetStore-production']);
  });
});

describe.each(['reader', 'pipeline-read'])('%s', (role) => {
  // All but the last show the URL of a pager.
  it.each([
    ['ssm:GetParameter', parameter('pager')],
    ['ssm:GetParameters', parameter('pager')],
    ['ssm:GetParametersByPath', parameter('')],
    ['ssm:GetParameterHistory', parameter('pager')],
    ['sns:ListSubscriptions', '*'],
    ['sns:ListSubscriptionsByTopic', topic],
    ['sns:GetSubscriptionAttributes', `${topic}:0a1b`],
    ['s3:GetObject', 'arn:aws:s3:::export/pets.json'],
  ])('may see no secret with %s, even with ReadOnlyAccess, on %s', (action, resource) => {
    expect(isPermitted([everything, ...statementsOf(role)], { action, resource })).toBe(false);
  });

  it('may check drift, for which CloudFormation reads', () => {
    const context = { 'aws:ViaAWSService': 'true' };
    const requests = [
      { action: 'sns:GetSubscriptionAttributes', resource: `${topic}:0a1b`, context },
      { action: 'ssm:GetParameters', resource: parameter('pager'), context },
      { action: 'ssm:GetParameters', resource: parameter('commit') },
    ];

    const denied = requests.filter((request) => !isPermitted([everything, ...statementsOf(role)], request));

    expect(denied).toEqual([]);
  });
});

it('the pipeline can look up the key that it has', () => {
  const request = { action: 'dynamodb:GetItem', resource: keys };

  expect(isPermitted(statementsOf('pipeline-read'), request)).toBe(true);
});

it.each([
  ['on-call', 'apigateway:DELETE', `${apiStage}/cache/authorizers`],
  ['on-call', 'apigateway:SetWebACL', apiStage],
  ['restore', 'apigateway:PATCH', apiStage],
])('%s may %s only on the API of its stage', (role, action, resource) => {
  const isAllowedWith = (context: Readonly<Record<string, string>>) =>
    isPermitted(statementsOf(role), { action, resource, context });

  expect(isAllowedWith(tagged('production'))).toBe(true);
  expect(isAllowedWith(tagged('staging'))).toBe(false);
  expect(isAllowedWith({})).toBe(false);
});

const commandsIn = (text = '', role = '') =>
  (
    text.replaceAll(/\s+/g, ' ').match(/\baws [a-z0-9-]+ [a-z0-9-]+|\bnpx cdk [a-z]+|\bnpm run keys/g) ?? []
  ).map((command) => [role, command] as const);
/** The role stands before a block, and after a command in a sentence. */
const block = /(?:\(role:\s+([\w-]+)\):\n\n)? *```sh\n([\s\S]*?)^ *```$/gm;
const sentence = /`([^`]+)`(?:\s+\(role:\s+([\w-]+)\))?/g;
const runbook = readFileSync('docs/runbook.md', 'utf8');
/** The pages whose blocks say with which role to run them. */
const withBlocks = globSync('{docs,bin/*}/*.md')
  .map((path) => readFileSync(path, 'utf8'))
  .filter((text) => /\(role: [a-z-]+\):\n/.test(text));
const commands = [
  ...[...[runbook, ...withBlocks].join('\n').matchAll(block)].flatMap(([, role, lines]) =>
    commandsIn(lines, role),
  ),
  ...[...runbook.replaceAll(block, '').matchAll(sentence)].flatMap(([, text, role]) =>
    commandsIn(text, role),
  ),
];

it.each(commands)(
  'a command in the documents is allowed for the role next to it: %s, %s',
  (role, command) => {
    expect([...organizationRoles, ...personRoles]).toContain(role);
    const action = requestOfCommand(command).action.toLowerCase();
    const isGranted = actionsOf(role).some((pattern) => matches(pattern.toLowerCase(), action));
    expect(isGranted || organizationRoles.includes(role) || !command.startsWith('aws ')).toBe(true);
  },
);
