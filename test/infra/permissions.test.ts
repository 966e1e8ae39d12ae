import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import * as v from 'valibot';
import { expect, it } from 'vitest';
import { isAllowed, matches, PolicyDocument } from '../../infra/local/template/policy.ts';
import { productionTemplate } from '../support/infra/synthesize.ts';
import { resourcesOf } from '../support/infra/template.ts';

const policies = globSync('docs/policies/*.json').map((path) => basename(path, '.json'));
const statementsOf = (...names: readonly string[]) =>
  names.flatMap(
    (name) =>
      v.parse(PolicyDocument, JSON.parse(readFileSync(`docs/policies/${name}.json`, 'utf8'))).Statement,
  );

/** The policies of each role; an administrator has one of the organization. */
const roles: Readonly<Record<string, readonly string[]>> = {
  administrator: [],
  deploy: ['deploy'],
  keys: ['keys'],
  'on-call': ['on-call', 'read-only'],
  reader: ['read-only'],
  restore: ['restore', 'read-only'],
};

const resources = resourcesOf(productionTemplate({ alarms: { page: [], ticket: [], monthlyBudget: 100 } }));
const services = [
  ...new Set(Object.values(resources).map(({ Type }) => `${Type.split('::')[1]}`.toLowerCase())),
];

it('CloudFormation may use the services of the stacks', () => {
  const actions = statementsOf('cloudformation').flatMap(({ Action }) => Action);

  const used = new Set(actions.map((action) => action.replace(/:.*/, '')));
  // CloudFormation asks for a table's scaling, and the functions' code is in the bootstrap's bucket.
  expect([...used].toSorted()).toEqual([...services, 'application-autoscaling', 's3'].toSorted());
});

it.each(policies)('a policy names only what the stacks have: %s', (policy) => {
  const patterns = statementsOf(policy).flatMap(({ Resource }) => Resource.filter((name) => name !== '*'));

  const service = new RegExp(`^arn:aws:(${[...services, 'acm', 'cloudformation', 's3'].join('|')}):`);
  const others = patterns.filter((pattern) => {
    const [, logicalId = ''] = /PetStore-\*-(\w+)/.exec(pattern) ?? [];
    return !service.test(pattern) || !Object.keys(resources).some((id) => id.startsWith(logicalId));
  });
  expect(others).toEqual([]);
});

const table = (name: string) => `arn:aws:dynamodb:eu-central-1:111111111111:table/${name}`;

it.each([
  ['restore', 'DeleteTable', 'PetStore-production-TablesPets0A1B'],
  ['restore', 'UpdateTable', 'pet-store-pets-202611220300'],
  ['restore', 'PutItem', 'PetStore-production-TablesApiKeys0A1B'],
  ['on-call', 'PutItem', 'PetStore-production-TablesApiKeys0A1B'],
])('%s cannot %s on a table in use: %s', (role, action, name) => {
  const statements = statementsOf(...(roles[role] ?? []));

  expect(isAllowed(statements, `dynamodb:${action}`, table(name))).toBe(false);
});

const apiGatewayMethods: Readonly<Record<string, string>> = { flush: 'DELETE', get: 'GET', update: 'PATCH' };

/** Returns an action in lower case: `aws deploy stop-deployment` needs codedeploy:stopdeployment. */
function actionOf(command: string): string {
  const [, service = '', operation = ''] = command.split(' ');
  const method = apiGatewayMethods[operation.replace(/-.*/, '')];
  if (service === 'apigateway') return `apigateway:${method}`.toLowerCase();
  return `${service.replace(/^deploy$/, 'codedeploy')}:${operation.replaceAll('-', '')}`;
}

const commandsIn = (text = '', role = '') =>
  (text.match(/\baws [a-z0-9-]+ [a-z0-9-]+|\bnpx cdk [a-z]+|\bnpm run keys/g) ?? []).map(
    (command) => [role, command] as const,
  );
/** A block has a line with the role before the commands; a sentence of the runbook has it after them. */
const block = /^ *```sh\n([\s\S]*?)^ *```$/gm;
const sentence = /`([^`]+)`(?:\s\(role\s([\w-]+)\))?/g;
const runbook = readFileSync('docs/runbook.md', 'utf8');
const blocks = `${runbook}\n${readFileSync('docs/deploying.md', 'utf8')}`.matchAll(block);
const commands = [
  ...[...blocks]
    .flatMap(([, lines = '']) => lines.split('# Role: '))
    .flatMap((part) => commandsIn(part, /^\S+(?=\n)/.exec(part)?.[0])),
  ...[...runbook.replaceAll(block, '').matchAll(sentence)].flatMap(([, text, role]) =>
    commandsIn(text, role),
  ),
];

it.each(commands)(
  'a command in the documents is allowed for the role next to it: %s, %s',
  (role, command) => {
    const actions = statementsOf(...(roles[role] ?? [])).flatMap(({ Action }) => Action);

    expect(Object.keys(roles)).toContain(role);
    const isGranted = actions.some((pattern) => matches(pattern.toLowerCase(), actionOf(command)));
    expect(isGranted || role === 'administrator' || !command.startsWith('aws ')).toBe(true);
  },
);
