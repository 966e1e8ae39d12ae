import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Duration } from 'aws-cdk-lib/core';
import { expect, it, vi } from 'vitest';
import type { StageSettings } from '../../../infra/settings/stages.ts';
import { temporaryDirectory } from '../../../test/support/e2e/temporary-file.ts';
import { productionSettings } from '../../../test/support/infra/stage-settings.ts';
import { check } from '../check/check.ts';
import { expectSameOrUnread } from './support/expect-same-or-unread.ts';
import { failing, failure, outputsOf, readFake, type World } from './support/fake-stage.ts';
import { requests } from './support/traffic.ts';

const policy = 'arn:aws:iam::123456789012:policy/PetStore-production-access-cloudformation';
const other = 'arn:aws:iam::123456789012:policy/PetStore-staging-access-cloudformation';
const bootstrapped = (policies: string) => ({
  Parameters: [{ ParameterKey: 'CloudFormationExecutionPolicies', ParameterValue: policies }],
});
const stack = 'PetStore-production';
const executionRole = 'arn:aws:iam::123456789012:role/cdk-hnb659fds-cfn-exec-role-123456789012-us-east-1';

/** An account in which everything is set up. */
const done: World = {
  stacks: {
    [`${stack}-access`]: {
      StackStatus: 'CREATE_COMPLETE',
      EnableTerminationProtection: true,
      Parameters: [{ ParameterKey: 'Operators', ParameterValue: 'arn:aws:iam::123456789012:user/ann' }],
    },
    CDKToolkit: bootstrapped(`${other},${policy}`),
  },
  requests: [requests(20, { client: 'smoke-test' })],
};
const alarms = {
  page: [{ pager: 'pager' }],
  ticket: [{ email: 'team@pets.example' }],
  runbook: 'https://pets.example/runbook',
  monthlyBudget: 100,
};
const settings: StageSettings = {
  ...productionSettings,
  accountConcurrency: 1000,
  target: { account: '123456789012', region: 'us-east-1' },
  alarms,
  expectsTrafficWithin: Duration.minutes(15),
};

const roles = ['deploy', 'keys', 'on-call', 'reader', 'restore'];

/** Checks a stage on a machine with the profiles of these roles. */
async function reportOf(world: World, changed: Partial<StageSettings> = {}, profiles = roles) {
  const config = join(temporaryDirectory(), 'config');
  writeFileSync(
    config,
    profiles.map((role) => `[profile production-${role}]\nregion = us-east-1\n`).join(''),
  );
  vi.stubEnv('AWS_CONFIG_FILE', config);
  vi.stubEnv('AWS_REGION', 'us-east-1');
  const report = await readFake(check, {}, world, { ...settings, ...changed });
  const [{ says, next } = { says: '', next: [] }, ...others] = report.findings;
  return {
    conclusion: says,
    steps: next,
    others: others.map((other) => other.says),
    figures: report.because,
    unread: report.unread,
  };
}

it('finds everything done, and asks what it cannot read', async () => {
  const { conclusion, figures, steps } = await reportOf(done);

  expect(conclusion).toBe('What can be read is done. The rest are questions to you.');
  expect(Object.fromEntries(figures)).toMatchObject({
    concurrency: 'DONE: 1,000 of 1,000',
    pipeline: expect.stringMatching(/^\? are the variables and the secret set/),
    promises: expect.stringMatching(/region.+data is kept.+incidents.+maintenance.+contact\?$/),
  });
  expect(steps.map(({ text }) => text)).toEqual(
    expect.arrayContaining([expect.stringContaining('docs/before-you-rely-on-it.md')]),
  );
});

it('asks for the quota early, because AWS may take days', async () => {
  const stacks = { ...done.stacks, [`${stack}-access`]: null };

  const { conclusion, others } = await reportOf({ ...done, concurrency: 10, stacks });

  expect(conclusion).toContain('The next is: access.');
  expect(others).toEqual(['AWS may take days to raise the quota.']);
});

it.each([
  [true, 'concurrency'],
  [false, 'deploy'],
])('lets the deploy wait for a quota that it reserves (%s)', async (reservesConcurrency, title) => {
  const stacks = { ...done.stacks, [stack]: null };

  const { conclusion, others } = await reportOf(
    { ...done, concurrency: 10, stacks },
    { reservesConcurrency },
  );

  expect(conclusion).toContain(`The next is: ${title}.`);
  expect(others).toEqual([]);
});

it.each<[title: string, world: World, changed: Partial<StageSettings>, role?: string, command?: string]>([
  [
    'concurrency',
    { ...done, concurrency: 10 },
    {},
    'administrator',
    'aws service-quotas request-service-quota-increase --service-code lambda --quota-code L-B99A9384 --desired-value 1000',
  ],
  ['target', done, { target: { account: '999999999999', region: 'us-east-1' } }],
  [
    'access',
    { ...done, stacks: { ...done.stacks, [`${stack}-access`]: null } },
    {},
    'administrator',
    "npx cdk deploy PetStore-production-access --parameters 'Operators=arn:aws:iam::*:role/aws-reserved/sso.amazonaws.com/*AWSReservedSSO_<permission set>_????????????????'",
  ],
  [
    'bootstrap',
    {
      ...done,
      stacks: {
        ...done.stacks,
        CDKToolkit: bootstrapped(`${other},arn:aws:iam::aws:policy/AdministratorAccess`),
      },
    },
    {},
    'administrator',
    `npx cdk bootstrap aws://123456789012/us-east-1 --termination-protection --cloudformation-execution-policies ${other},${policy}`,
  ],
  ['alarms', done, { alarms: { page: [], ticket: [] } }],
  [
    'deploy',
    { ...done, stacks: { ...done.stacks, [stack]: null } },
    {},
    'deploy',
    `npx cdk deploy ${stack} --exclusively`,
  ],
  // SNS has deleted the subscription of one that did not confirm in time.
  ['subscribers', done, { alarms: { ...alarms, page: [...alarms.page, { email: 'second@pets.example' }] } }],
  [
    'key and smoke test',
    { ...done, requests: [requests(5)] },
    {},
    'keys',
    'npm run keys -- issue --client smoke-test --stage production --expires 365d',
  ],
])('names the next step: %s', async (title, world, changed, role, command) => {
  const outputs = { ...world.outputs, BaseUrl: 'https://a1b2.example/v1' };

  const { conclusion, steps, figures } = await reportOf({ ...world, outputs }, changed);

  expect(conclusion).toContain(`The next is: ${title}.`);
  expect(figures.find(([name]) => name === title)?.[1]).toMatch(/^TO DO: /);
  expect(steps[0]).toMatchObject({ ...(role && { role }) });
  expect(steps[0]?.commands?.[0]).toBe(command);
});

it('hardens a stage that was tried before, as it is', async () => {
  const access = done.stacks?.[`${stack}-access`];
  const nobody = [{ ParameterKey: 'Operators', ParameterValue: 'arn:aws:iam::000000000000:role/nobody' }];
  const tried = {
    ...done,
    requests: [],
    stacks: {
      [`${stack}-access`]: { ...access, Parameters: nobody },
      CDKToolkit: bootstrapped('arn:aws:iam::aws:policy/AdministratorAccess'),
    },
  };
  const elsewhere = { account: '999999999999', region: 'us-east-1' };

  const { figures } = await reportOf(tried, { target: elsewhere }, []);

  const toDo = figures.filter(([, text]) => text.startsWith('TO DO')).map(([title]) => title);
  expect(toDo).toEqual(['target', 'access', 'bootstrap', 'profiles', 'key and smoke test']);
  expect(Object.fromEntries(figures)).toMatchObject({
    deploy: expect.stringMatching(/^DONE: /),
  });
});

it('names the policies that no stage needs, and keeps those of the other stages', async () => {
  const power = 'arn:aws:iam::aws:policy/PowerUserAccess';
  const foreign = 'arn:aws:iam::999999999999:policy/PetStore-staging-access-cloudformation';
  const stacks = { ...done.stacks, CDKToolkit: bootstrapped([other, power, policy, foreign].join()) };

  const { conclusion, steps, figures } = await reportOf({ ...done, stacks });

  expect(conclusion).toBe('Not all is done. The next is: bootstrap.');
  expect(Object.fromEntries(figures)['bootstrap']).toMatch(
    new RegExp(`^TO DO: .*, of which no stage needs ${power}, ${foreign}$`),
  );
  expect(steps[0]?.commands?.[0]).toMatch(new RegExp(` ${other},${policy}$`));
});

it('believes no output of a stack', async () => {
  const admin = 'arn:aws:iam::aws:policy/AdministratorAccess';
  const access = {
    ...done.stacks?.[`${stack}-access`],
    Outputs: outputsOf({ CloudFormationPolicyArn: admin }),
  };
  const stacks = { [`${stack}-access`]: access, CDKToolkit: bootstrapped(admin) };

  const { conclusion, steps } = await reportOf({ ...done, stacks });

  expect(conclusion).toBe('Not all is done. The next is: bootstrap.');
  expect(steps[0]?.commands?.[0]).toMatch(new RegExp(` --cloudformation-execution-policies ${policy}$`));
});

it.each([
  ['access', `${stack}-access`, 'arn:aws:iam::123456789012:role/Admin'],
  ['access', `${stack}-access`, executionRole],
  ['deploy', stack, 'arn:aws:iam::123456789012:role/Admin'],
])('does not hold %s for done while %s keeps the role %s', async (title, name, RoleARN) => {
  const stacks = { ...done.stacks, [name]: { ...done.stacks?.[name], RoleARN } };

  const { conclusion, figures } = await reportOf({ ...done, stacks });

  expect(conclusion).toBe(`Not all is done. The next is: ${title}.`);
  expect(Object.fromEntries(figures)[title]).toMatch(new RegExp(`, with the service role ${RoleARN}$`));
});

it('holds a deploy for done with the role of the bootstrap', async () => {
  const stacks = { ...done.stacks, [stack]: { RoleARN: executionRole } };

  const { conclusion } = await reportOf({ ...done, stacks });

  expect(conclusion).toBe('What can be read is done. The rest are questions to you.');
});

it('says what a bootstrap takes from other apps', async () => {
  const admin = 'arn:aws:iam::aws:policy/AdministratorAccess';
  const stacks = { ...done.stacks, CDKToolkit: bootstrapped(admin) };

  const { steps } = await reportOf({ ...done, stacks });

  expect(steps[0]?.text).toContain(`It takes ${admin} from other CDK apps of this account and region: `);
});

it('a bootstrap that an account lacks takes nothing from other apps', async () => {
  const { steps } = await reportOf({ ...done, stacks: { ...done.stacks, CDKToolkit: null } });

  expect(steps[0]?.text).toBe('bootstrap with the policies of the access stacks of this account');
});

it('deploys what was only prepared, because nothing is in progress', async () => {
  const { steps } = await reportOf({ ...done, status: 'REVIEW_IN_PROGRESS' });

  expect(steps[0]?.text).toBe('deploy it');
});

it('deploys again before it deletes what remains of a first deploy that failed', async () => {
  const failed: World = {
    status: 'ROLLBACK_COMPLETE',
    operations: [{ OperationType: 'CREATE_STACK', OperationId: 'update-1' }],
    failures: [
      failure('Other', 'Resource creation cancelled', 10),
      failure('Account', 'The role ARN does not have required permissions', 11),
    ],
  };

  const { conclusion, steps, figures } = await reportOf({
    ...done,
    ...failed,
    stacks: { ...done.stacks, [stack]: { EnableTerminationProtection: true } },
  });

  expect(conclusion).toContain('The next is: deploy.');
  expect(Object.fromEntries(figures)['deploy']).toBe(
    'TO DO: ROLLBACK_COMPLETE, first because of Account: The role ARN does not have required permissions',
  );
  expect(steps.map(({ commands, text }) => commands?.[0] ?? text)).toEqual([
    `aws cloudformation update-termination-protection --no-enable-termination-protection --stack-name ${stack}`,
    `npx cdk deploy ${stack} --exclusively`,
    'if that fails too, delete what remains: docs/deploying.md#tear-down',
  ]);
});

it('does not hold nobody of nobody for done', async () => {
  const { figures } = await reportOf(done, { alarms: { page: [], ticket: [] } });

  expect(Object.fromEntries(figures)['subscribers']).toBe(
    'TO DO: 1 of 0 and 1 of 0 have confirmed for page and ticket',
  );
});

it('concludes the same, or that a fact could not be read, whatever goes wrong with calls', async () => {
  await reportOf(done);
  const worlds = {
    done,
    new: { ...done, stacks: { [`${stack}-access`]: null, CDKToolkit: null, [stack]: null } },
    untested: { ...done, requests: [] },
    withoutQuota: { ...done, concurrency: 10 },
  };

  await expectSameOrUnread(check, {}, worlds, settings);
});

it('counts who has confirmed', async () => {
  const { figures } = await reportOf(done);

  expect(Object.fromEntries(figures)['subscribers']).toBe(
    'DONE: 1 of 1 and 1 of 1 have confirmed for page and ticket',
  );
});

it('asks only to sign in before it reads the rest', async () => {
  const { conclusion, steps, figures, unread } = await reportOf({
    ...done,
    ...failing('denied', 'GetCallerIdentity'),
  });

  expect(conclusion).toBe('Who you are, and in which region, could not be read.');
  expect(steps[0]?.text).toContain('docs/deploying.md#before-clients-depend-on-it');
  expect(figures).toEqual([]);
  expect(unread).toEqual([expect.stringMatching(/^account: AccessDenied: /)]);
});

it('asks for alarms without a time for traffic, which a stage may not have', async () => {
  const { figures } = await reportOf(done, { expectsTrafficWithin: undefined });

  expect(Object.fromEntries(figures)).toMatchObject({
    alarms: 'DONE: all settings are there',
    traffic: expect.stringMatching(/^\? within which time/),
  });
});

it('says what people lack while settings of the alarms are not set', async () => {
  const { steps, figures } = await reportOf(done, { alarms: { ...alarms, page: [], runbook: undefined } });

  expect(Object.fromEntries(figures)['alarms']).toBe(
    'TO DO: Nobody is paged when the stage is down. Pages and tickets have no link to the runbook.',
  );
  expect(steps[0]?.text).toBe(
    "as docs/deploying.md#alarms says, set page, runbook in the stage's record in infra/settings/stages.ts, and commit",
  );
});

it('says of a stage without alarms that it has none', async () => {
  const { figures } = await reportOf(done, { alarms: undefined });

  expect(Object.fromEntries(figures)).toMatchObject({ alarms: 'DONE: this stage has none' });
});

it('adds the profiles that this machine lacks', async () => {
  const { steps } = await reportOf(done, {}, ['deploy', 'keys', 'reader', 'restore']);

  expect(steps[0]?.text).toBe(
    'add them, with your own profile, such as production-admin, as <me>. Each operator needs them, and ' +
      'sts:AssumeRole on arn:aws:iam::*:role/PetStore-*-access-*',
  );
  expect(steps[0]?.commands).toEqual([
    'aws configure set profile.production-on-call.role_arn arn:aws:iam::123456789012:role/PetStore-production-access-on-call',
    'aws configure set profile.production-on-call.source_profile <me>',
    'aws configure set profile.production-on-call.region us-east-1',
  ]);
});

it('asks what a call that failed would have shown', async () => {
  const { figures, unread } = await reportOf({ ...done, ...failing('denied', 'GetAccountSettings') });

  expect(unread).toEqual([expect.stringMatching(/^concurrency: AccessDeniedException: /)]);
  expect(Object.fromEntries(figures)).toMatchObject({
    concurrency: '? could not be read',
  });
});
