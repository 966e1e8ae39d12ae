import { describe, expect, it } from 'vitest';
import { access, parameters } from '../../support/infra/access.ts';
import { isPermitted, rolesOf } from '../../support/infra/iam.ts';
import { everySetting } from '../../support/infra/stage-settings.ts';
import { productionTemplate } from '../../support/infra/synthesize.ts';
import { namesIn, resourceOf, resourcesOf } from '../../support/infra/template.ts';

const { artifact } = access;

const iam = (resource: string) => `arn:aws:iam::123456789012:${resource}`;
const inRegion = (service: string, resource: string) =>
  `arn:aws:${service}:us-east-1:123456789012:${resource}`;
const budget = (name: string) => `arn:aws:budgets::123456789012:budget/${name}`;
const boundary = iam('policy/PetStore-production-access-boundary');
const bounded = { 'iam:PermissionsBoundary': boundary };

it('an administrator can deploy it before anything else in the account', () => {
  expect(artifact.assets).toEqual([]);
  expect(artifact.template).not.toHaveProperty('Parameters.BootstrapVersion');
  expect(artifact).toMatchObject({ terminationProtection: true, assumeRoleArn: undefined });
  // What CloudFormation accepts without a bucket.
  expect(JSON.stringify(artifact.template, null, 1).length).toBeLessThan(51_200);
});

// CloudFormation would create one that moved before it deletes the other, which has its name: "already exists".
it('its named resources keep their logical ids', () => {
  expect(namesIn(artifact.template)).toEqual({
    BoundaryEA298153: 'PetStore-production-access-boundary',
    CloudFormation198F3EBF: 'PetStore-production-access-cloudformation',
    deploy9CB423FE: 'PetStore-production-access-deploy',
    keys7B331FE9: 'PetStore-production-access-keys',
    oncall2489C023: 'PetStore-production-access-on-call',
    pipelinedeploy67E3AB93: 'PetStore-production-access-pipeline-deploy',
    pipelineread171F6472: 'PetStore-production-access-pipeline-read',
    reader977270FF: 'PetStore-production-access-reader',
    restore1A577C69: 'PetStore-production-access-restore',
  });
});

// https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_iam-quotas.html
it("its policies fit IAM's quotas", () => {
  expect(access.boundary.size).toBeLessThan(6144);
  expect(access.cloudFormation.size).toBeLessThan(6144);
  for (const { inlineSize } of access.roles.values()) expect(inlineSize).toBeLessThan(10_240);
});

describe('CloudFormation', () => {
  const ownRole = iam('role/PetStore-production-ListPetsRole1A2B');
  const keysRole = iam('role/PetStore-production-access-keys');
  const otherwiseBounded = { 'iam:PermissionsBoundary': iam('policy/Any') };
  const passedTo = (service: string) => ({ 'iam:PassedToService': `${service}.amazonaws.com` });

  it.each([
    ['iam:CreateRole', ownRole, bounded],
    ['iam:PutRolePermissionsBoundary', ownRole, bounded],
    ['iam:DeleteRole', ownRole, {}],
    ['iam:PassRole', ownRole, passedTo('lambda')],
    // AWS knows no resource of it.
    ['codedeploy:StopDeployment', '*', {}],
    // It cannot create a composite alarm with a narrower scope.
    ['cloudwatch:PutCompositeAlarm', '*', {}],
    ['dynamodb:CreateTable', inRegion('dynamodb', 'table/PetStore-production-TablesPets1A2B'), {}],
    ['budgets:ModifyBudget', budget('PetStore-production'), {}],
    // For AWS's list of bad addresses.
    ['wafv2:UpdateWebACL', inRegion('wafv2', 'regional/managedruleset/'), {}],
  ])('may %s of the stack', (action, resource, context) => {
    expect(isPermitted(access.cloudFormation.statements, { action, resource, context })).toBe(true);
  });

  it.each([
    ['create a role without the boundary', 'iam:CreateRole', ownRole, {}],
    ['create a role with another boundary', 'iam:CreateRole', ownRole, otherwiseBounded],
    ['create a role under another name', 'iam:CreateRole', iam('role/Admin'), bounded],
    ['add to a role without the boundary', 'iam:PutRolePolicy', ownRole, {}],
    ['attach a policy to a role without the boundary', 'iam:AttachRolePolicy', ownRole, {}],
    ['let others assume a role without the boundary', 'iam:UpdateAssumeRolePolicy', ownRole, {}],
    ['remove the boundary of a role', 'iam:DeleteRolePermissionsBoundary', ownRole, bounded],
    ['replace the boundary of a role', 'iam:PutRolePermissionsBoundary', ownRole, otherwiseBounded],
    ['delete the policy of a role without the boundary', 'iam:DeleteRolePolicy', ownRole, {}],
    ['detach a policy from a role without the boundary', 'iam:DetachRolePolicy', ownRole, {}],
    ['change the boundary', 'iam:CreatePolicyVersion', boundary, {}],
    ['create a policy', 'iam:CreatePolicy', iam('policy/PetStore-production-Any'), {}],
    ['create a user', 'iam:CreateUser', iam('user/PetStore-production-Any'), bounded],
    ['change a role of people', 'iam:PutRolePolicy', keysRole, bounded],
    ['pass a role of people', 'iam:PassRole', keysRole, passedTo('lambda')],
    ['pass an administrator to a function', 'iam:PassRole', iam('role/Admin'), passedTo('lambda')],
    ["change another's budget", 'budgets:ModifyBudget', budget('Any'), {}],
    [
      "let a budget's action attach a policy",
      'budgets:CreateBudgetAction',
      budget('PetStore-production/action/1'),
      {},
    ],
    ["execute a budget's action", 'budgets:ExecuteBudgetAction', budget('Any/action/1'), {}],
    ['pass a role to a machine', 'iam:PassRole', ownRole, passedTo('ec2')],
    [
      "touch another stage's table",
      'dynamodb:DeleteTable',
      inRegion('dynamodb', 'table/PetStore-staging-TablesPets1A2B'),
      {},
    ],
  ])('may not %s', (_title, action, resource, context) => {
    expect(isPermitted(access.cloudFormation.statements, { action, resource, context })).toBe(false);
  });
});

describe("a stage's own roles", () => {
  const template = productionTemplate(everySetting);
  const roles = rolesOf('PetStore-production', template);

  it('have the boundary', () => {
    expect(new Set([...roles.values()].map((role) => role.boundary))).toEqual(new Set([boundary]));
  });

  it.each([...roles])('fit in the boundary: %s', (_name, { statements }) => {
    const requests = statements.flatMap(({ Action, Resource }) =>
      Action.flatMap((action) => Resource.map((resource) => ({ action, resource }))),
    );

    expect(requests.filter((request) => !isPermitted(access.boundary.statements, request))).toEqual([]);
  });

  // What the two policies of AWS allow, as far as it is used.
  it.each([
    ['cloudwatch:DescribeAlarms', '*'],
    ['lambda:UpdateAlias', inRegion('lambda', 'function:PetStore-production-ListPets1A2B')],
    ['lambda:GetAlias', inRegion('lambda', 'function:PetStore-production-ListPets1A2B')],
    ['logs:CreateLogGroup', inRegion('logs', 'log-group:any')],
    ['logs:DescribeLogStreams', inRegion('logs', 'log-group:any')],
    ['logs:PutLogEvents', inRegion('logs', 'log-group:any')],
  ])('may %s, as their AWS policies say', (action, resource) => {
    expect(isPermitted(access.boundary.statements, { action, resource })).toBe(true);
  });

  it.each([
    ['iam:CreateRole', iam('role/PetStore-production-Any')],
    ['sts:AssumeRole', iam('role/Admin')],
    ['dynamodb:DeleteTable', inRegion('dynamodb', 'table/PetStore-production-TablesPets1A2B')],
    ['dynamodb:Scan', inRegion('dynamodb', 'table/PetStore-staging-TablesPets1A2B')],
    ['dynamodb:Scan', inRegion('dynamodb', 'table/PetStore-staging-restored-pets-1')],
    ['s3:GetObject', 'arn:aws:s3:::any/thing'],
    ['lambda:UpdateFunctionCode', inRegion('lambda', 'function:PetStore-production-ListPets1A2B')],
  ])('may not %s, whatever their policies say', (action, resource) => {
    expect(isPermitted(access.boundary.statements, { action, resource })).toBe(false);
  });

  it('can be passed to their services', () => {
    const services = [...roles.values()].flatMap(({ trust }) =>
      trust.flatMap(({ Principal }) => Principal['Service'] ?? []),
    );

    const request = { action: 'iam:PassRole', resource: iam('role/PetStore-production-Any') };
    const refused = services.filter(
      (service) =>
        !isPermitted(access.cloudFormation.statements, {
          ...request,
          context: { 'iam:PassedToService': service },
        }),
    );
    expect(services).not.toEqual([]);
    expect(refused).toEqual([]);
  });
});

describe('people', () => {
  const mayAssume = (role: string, principal: string) =>
    isPermitted(access.roles.get(`PetStore-production-access-${role}`)?.trust ?? [], {
      action: 'sts:AssumeRole',
      resource: '',
      principal: iam('root'),
      context: { 'aws:PrincipalArn': principal },
    });

  it.each(['deploy', 'keys', 'on-call', 'reader', 'restore'])('operators may assume %s', (role) => {
    // The role of a permission set has a region in its path, unless the Identity Center is in us-east-1.
    for (const path of ['eu-central-1/', '']) {
      const operator = iam(
        `role/aws-reserved/sso.amazonaws.com/${path}AWSReservedSSO_PetStore_fedcba9876543210`,
      );
      expect(mayAssume(role, operator), path).toBe(true);
    }
    for (const other of ['Other', 'PetStore_Support', 'PetStore2', 'Other_PetStore']) {
      const path = `role/aws-reserved/sso.amazonaws.com/AWSReservedSSO_${other}_0123456789abcdef`;
      expect(mayAssume(role, iam(path)), other).toBe(false);
    }
    expect(mayAssume(role, iam('role/Other'))).toBe(false);
  });

  it('are nobody until somebody says who', () => {
    const { Operators, Readers } = artifact.template.Parameters;

    expect([Operators.Default, Readers.Default]).toEqual(
      Array(2).fill('arn:aws:iam::000000000000:role/nobody'),
    );
  });

  it('readers may only read', () => {
    const assumed = [...access.roles.keys()].filter((name) =>
      mayAssume(name.replace('PetStore-production-access-', ''), iam('user/bob')),
    );

    expect(assumed).toEqual(['PetStore-production-access-reader']);
  });
});

describe('the pipeline', () => {
  const trustOf = (role: string, GitHubSubject: string) =>
    rolesOf('PetStore-production-access', artifact.template, { ...parameters, GitHubSubject }).get(
      `PetStore-production-access-${role}`,
    )?.trust ?? [];
  const signIn = (subject: string, audience = 'sts.amazonaws.com') => ({
    action: 'sts:AssumeRoleWithWebIdentity',
    resource: '',
    principal: iam('oidc-provider/token.actions.githubusercontent.com'),
    context: {
      'token.actions.githubusercontent.com:aud': audience,
      'token.actions.githubusercontent.com:sub': subject,
    },
  });

  it.each(['repo:acme/pets', 'repo:acme@1/pets@2'])('may be the one of %s', (repository) => {
    const trust = trustOf('pipeline-deploy', repository);

    expect(isPermitted(trust, signIn(`${repository}:environment:production-deploy`))).toBe(true);
    expect(isPermitted(trust, signIn(`${repository}:environment:production-read`))).toBe(false);
    expect(isPermitted(trust, signIn(`${repository}:ref:refs/heads/main`))).toBe(false);
    expect(isPermitted(trust, signIn(`${repository}2:environment:production-deploy`))).toBe(false);
    expect(isPermitted(trust, signIn(`${repository}:environment:production-deploy`, 'other'))).toBe(false);
    const reading = trustOf('pipeline-read', repository);
    expect(isPermitted(reading, signIn(`${repository}:environment:production-read`))).toBe(true);
    expect(isPermitted(reading, signIn(`${repository}:environment:production-deploy`))).toBe(false);
  });

  it('stays when a stage is deleted, because another may use the same trust', () => {
    const trust = resourceOf(resourcesOf(artifact.template), 'AWS::IAM::OIDCProvider');

    expect(trust).toMatchObject({ DeletionPolicy: 'RetainExceptOnCreate' });
  });

  it('can be no repository but the one that is named exactly', () => {
    const { AllowedPattern } = artifact.template.Parameters.GitHubSubject;

    const pattern = new RegExp(`${AllowedPattern}`);
    expect(
      ['', 'repo:acme/pets', 'repo:acme@1/my.pets-2@22'].filter((value) => !pattern.test(value)),
    ).toEqual([]);
    expect(
      ['repo:*', 'repo:acme/*', 'acme/pets', 'repo:acme/pets:environment:x', 'repo:acme@x/pets'].filter(
        (value) => pattern.test(value),
      ),
    ).toEqual([]);
  });
});
