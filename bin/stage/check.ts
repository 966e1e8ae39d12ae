import { loadSharedConfigFiles } from '@smithy/core/config';
import { accessStackName, personRoles, roleName } from '../../infra/access/names.ts';
import { keyPrefixOf } from '../../infra/key-prefix.ts';
import { stackName, tableOutput, tagsOf } from '../../infra/stack-names.ts';
import { apiVersion } from '../../shared/service.ts';
import * as aws from './aws.ts';
import type { Reading, Verb } from './read-stage.ts';
import { type Conclusion, count, profileOf, type Step, step } from './report.ts';
import { readRequests, requestsOf } from './requests.ts';
import { keysId } from './tables.ts';

/** A step of the set-up. It is a question if nothing here can read whether it is done. */
interface Check {
  readonly title: string;
  readonly state: 'done' | 'to do' | 'question';
  readonly text: string;
  readonly steps?: readonly Step[];
}

/** Says which steps of the set-up are done, and the next one. */
export const check: Verb<object> = {
  role: 'administrator',
  isForNewStages: true,
  run: async (reading) => conclude(reading, await read(reading)),
};

/**
 * The operators that sign in with IAM Identity Center. The role of a permission set has a region in its path,
 * unless that of the Identity Center is us-east-1.
 * https://docs.aws.amazon.com/singlesignon/latest/userguide/referencingpermissionsets.html
 */
export const identityCenterOperators =
  'arn:aws:iam::*:role/aws-reserved/sso.amazonaws.com/*AWSReservedSSO_<permission set>_*';

/** The client of the key for tests. */
const tester = 'smoke-test';

type CheckFacts = Awaited<ReturnType<typeof read>>;

async function read({ stage, stack, settings, now, clients, attempt }: Reading) {
  const { domain } = settings;
  const [accessLog] = stack?.idsOf('AWS::Logs::LogGroup', 'AccessLogs') ?? [];
  const week = { from: new Date(now.getTime() - 7 * 24 * 60 * 60 * 1000), to: now };
  const keyTable = stack?.outputs[tableOutput(keysId)];
  const subscriptions = (output: string) => {
    const topic = stack?.outputs[output];
    return topic && attempt(`subscribers of ${output}`, () => aws.readSubscriptions(clients, topic));
  };
  /** Whether a stack is missing is a fact, unlike a call that failed. */
  const find = (name: string) => attempt(name, async () => ({ stack: await aws.readStack(clients, name) }));
  return {
    caller: await attempt('account', () => aws.readCaller(clients)),
    region: await attempt('region', () => clients.sts.config.region()),
    concurrency: await attempt('concurrency', () => aws.readConcurrency(clients)),
    access: await find(accessStackName(stage)),
    bootstrap: await find('CDKToolkit'),
    profiles: await attempt('profiles', async () => Object.keys((await loadSharedConfigFiles()).configFile)),
    page: await subscriptions('PageTopicArn'),
    ticket: await subscriptions('TicketTopicArn'),
    certificate:
      domain && (await attempt('certificate', () => aws.readCertificate(clients, domain.certificateArn))),
    keys: keyTable ? await attempt('keys', () => aws.countItems(clients, keyTable)) : undefined,
    requests: accessLog ? await attempt('requests', () => readRequests(clients, accessLog, week)) : undefined,
    alarms: stack && (await attempt('alarms', () => aws.readAlarms(clients, stackName(stage)))),
  };
}

function conclude(reading: Reading, facts: CheckFacts): Conclusion {
  const checks = [
    account,
    concurrency,
    target,
    access,
    bootstrap,
    profiles,
    alarms,
    deployed,
    subscribers,
    domain,
    keys,
    smokeTest,
    metrics,
  ]
    .flatMap((of) => of(reading, facts) ?? [])
    .concat(questions(reading));
  const open = checks.filter(({ state }) => state === 'to do');
  const asked = checks.filter(({ state }) => state === 'question');
  const [next] = open;
  return {
    findings: checks.map(({ title, state, text }) => [
      title,
      `${state === 'question' ? '?' : state.toUpperCase()}: ${text}`,
    ]),
    conclusion: next
      ? `${open.length} of ${checks.length} are to do, and ${asked.length} are questions to you. The next is: ${next.title}.`
      : `What can be read is done. ${asked.length} questions are left.`,
    steps: next?.steps ?? [
      { text: 'answer the questions, and prove in staging what you rely on: docs/before-you-rely-on-it.md' },
    ],
  };
}

const isDone = (title: string, condition: boolean, text: string, ...steps: Step[]): Check => ({
  title,
  state: condition ? 'done' : 'to do',
  text,
  steps,
});

const asks = (title: string, text: string): Check => ({ title, state: 'question', text });

const administrator = (text: string, ...commands: string[]): Step => ({
  text,
  role: 'administrator',
  commands,
});

const edit = (text: string): Step => ({
  text: `${text} in the stage's record in infra/settings/stages.ts, and commit`,
});

function account({ stage }: Reading, { caller }: CheckFacts): Check {
  const profile = profileOf(stage, 'administrator');
  return isDone(
    'account',
    caller?.Account !== undefined,
    caller ? `${caller.Account}, as ${caller.Arn}` : 'nobody is signed in',
    {
      text: 'sign in',
      commands: [`aws configure sso --profile ${profile}`, `aws sso login --profile ${profile}`],
    },
  );
}

function concurrency(
  { settings: { accountConcurrency, reservesConcurrency } }: Reading,
  { concurrency }: CheckFacts,
): Check {
  if (concurrency === undefined)
    return asks('concurrency', `may ${accountConcurrency} functions run at the same time?`);
  const isEnough = concurrency >= accountConcurrency;
  return isDone(
    'concurrency',
    isEnough,
    `${count(concurrency)} of ${count(accountConcurrency)}${isEnough || !reservesConcurrency ? '' : ': the deploy would fail'}`,
    administrator(
      'request it, which can take days',
      `aws service-quotas request-service-quota-increase --service-code lambda --quota-code L-B99A9384 --desired-value ${accountConcurrency}`,
    ),
  );
}

function target({ settings: { target } }: Reading, { caller, region }: CheckFacts): Check {
  const isThis = target?.account === caller?.Account && target?.region === region;
  const here = `target: { account: '${caller?.Account}', region: '${region}' }`;
  return isDone(
    'target',
    target !== undefined && isThis,
    target
      ? `${target.account}, ${target.region}${isThis ? '' : `; you are in ${caller?.Account}, ${region}`}`
      : 'none: the CDK would deploy anywhere',
    target ? { text: 'take the profile and the region of the target' } : edit(`set ${here}`),
  );
}

function access({ stage }: Reading, { access }: CheckFacts): Check {
  const name = accessStackName(stage);
  if (!access) return asks('access', `does the stack ${name} exist?`);
  const { stack } = access;
  const tags = Object.entries(tagsOf(stage)).map(([key, value]) => `${key}=${value}`);
  return isDone(
    'access',
    stack?.status.endsWith('_COMPLETE') === true && stack.isProtected,
    stack
      ? `${stack.status}, for ${stack.parameters['Operators'] ?? 'nobody'}${stack.isProtected ? '' : ', not protected from deletion'}`
      : `${name} does not exist`,
    administrator(
      'deploy the access stack. Who the operators are: docs/deploying.md#once',
      `npx cdk synth ${name} --quiet`,
      `aws cloudformation deploy --stack-name ${name} --capabilities CAPABILITY_NAMED_IAM --template-file cdk.out/${name}.template.json --tags ${tags.join(' ')} --parameter-overrides 'Operators=${identityCenterOperators}'`,
      `aws cloudformation update-termination-protection --enable-termination-protection --stack-name ${name}`,
    ),
  );
}

/** The stages of an account share the bootstrap, so that the policies of the others stay. */
function bootstrap(_reading: Reading, { bootstrap, access, caller, region }: CheckFacts): Check {
  const policy = access?.stack?.outputs['CloudFormationPolicyArn'] ?? '<the access stack comes first>';
  if (!bootstrap) return asks('bootstrap', 'does the stack CDKToolkit exist?');
  const policies = (bootstrap.stack?.parameters['CloudFormationExecutionPolicies'] ?? '')
    .split(',')
    .filter(Boolean);
  const kept = policies.filter((arn) => arn !== policy && !arn.endsWith('/AdministratorAccess'));
  return isDone(
    'bootstrap',
    policies.includes(policy) && kept.length === policies.length - 1,
    bootstrap.stack ? `with ${policies.join(', ') || 'no policy'}` : 'CDKToolkit does not exist',
    administrator(
      'bootstrap with the policies of the access stacks of this account',
      `npx cdk bootstrap aws://${caller?.Account}/${region} --termination-protection --cloudformation-execution-policies ${[...kept, policy].join()}`,
    ),
  );
}

function profiles({ stage }: Reading, { profiles = [], caller, region }: CheckFacts): Check {
  const missing = personRoles.filter((role) => !profiles.includes(profileOf(stage, role)));
  return isDone(
    'profiles',
    missing.length === 0,
    missing.length === 0 ? 'of all roles' : `none here for ${missing.join(', ')}`,
    {
      text: 'add them, with the name of your own profile as <me>',
      commands: missing.flatMap((role) => {
        const set = `aws configure set profile.${profileOf(stage, role)}`;
        return [
          `${set}.role_arn arn:aws:iam::${caller?.Account}:role/${roleName(stage, role)}`,
          `${set}.source_profile <me>`,
          `${set}.region ${region}`,
        ];
      }),
    },
  );
}

function alarms({ settings: { alarms, expectsTrafficWithin } }: Reading): Check | undefined {
  if (!alarms) return undefined;
  const { page, ticket, runbook, monthlyBudget } = alarms;
  const missing = Object.entries({
    page: page[0],
    ticket: ticket[0],
    runbook,
    monthlyBudget,
    expectsTrafficWithin,
  })
    .filter(([, value]) => value === undefined)
    .map(([name]) => name);
  return isDone(
    'alarms',
    missing.length === 0,
    missing.length === 0 ? 'somebody is notified' : `nobody has set ${missing.join(', ')}`,
    edit(`set ${missing.join(', ')}`),
  );
}

function deployed({ stage, stack }: Reading): Check {
  return isDone(
    'deploy',
    stack?.status.endsWith('_COMPLETE') === true && stack.status !== 'ROLLBACK_COMPLETE',
    stack
      ? `${stack.status}, ${stack.outputs['Commit']} at ${stack.outputs['BaseUrl']}`
      : 'the stage is not deployed',
    step('deploy', 'deploy it', `npx cdk deploy ${stackName(stage)}`),
  );
}

function subscribers(_reading: Reading, { page, ticket }: CheckFacts): Check | undefined {
  if (!page || !ticket) return undefined;
  const text = Object.entries({ page, ticket }).map(
    ([name, { confirmed, pending }]) => `${name}: ${confirmed} confirmed, ${pending} not yet`,
  );
  return isDone(
    'subscribers',
    page.confirmed > 0 && ticket.confirmed > 0 && page.pending + ticket.pending === 0,
    text.join('; '),
    { text: 'let each subscriber confirm the message of AWS: docs/runbook.md#nobody-was-paged' },
  );
}

function domain({ settings: { domain } }: Reading, { certificate }: CheckFacts): Check | undefined {
  if (!domain) return asks('domain', 'shall clients use a domain of yours? docs/deploying.md#domain');
  if (!certificate) return undefined;
  return isDone('certificate', certificate.Status === 'ISSUED', `${domain.name}: ${certificate.Status}`, {
    text: 'create the DNS record that ACM asks for: docs/deploying.md#domain',
  });
}

function keys({ stage, stack }: Reading, { keys }: CheckFacts): Check | undefined {
  if (!stack) return undefined;
  if (keys === undefined) return asks('key', 'is there a key for tests?');
  return isDone(
    'key',
    keys > 0,
    `${keys} in the table`,
    step(
      'keys',
      'issue a key for tests, and keep it where the team keeps its secrets',
      `npm run keys -- issue --client ${tester} --stage ${stage} --expires 365d`,
    ),
  );
}

function smokeTest({ stack, settings, stage }: Reading, { requests }: CheckFacts): Check | undefined {
  if (!stack) return undefined;
  const served = requests?.filter(({ client, status }) => client === tester && status === 200) ?? [];
  const address = settings.domain
    ? `https://${settings.domain.name}/${apiVersion}`
    : stack.outputs['BaseUrl'];
  return isDone(
    'smoke test',
    served.length > 0,
    `${count(requestsOf(served))} requests of ${tester} were served in a week`,
    {
      text: 'run it, at the address that clients use',
      commands: [`BASE_URL=${address} API_KEY=${keyPrefixOf(stage)}… npm run smoke`],
    },
  );
}

/** Alarms that CloudWatch cannot evaluate, once there were requests. */
function metrics(_reading: Reading, { alarms = [] }: CheckFacts): Check | undefined {
  const blind = alarms.filter(({ state }) => state === 'INSUFFICIENT_DATA').map(({ name }) => name);
  return alarms.length === 0
    ? undefined
    : isDone(
        'metrics',
        blind.length === 0,
        blind.length === 0 ? 'all alarms have data' : `no data for ${blind.join(', ')}`,
        {
          text: 'send requests for an hour, and look again: docs/before-you-rely-on-it.md#alarms-and-costs',
        },
      );
}

/** What no call of AWS shows. */
const questions = ({ stage, settings }: Reading): readonly Check[] => [
  asks(
    'pipeline',
    `are the variables and the secret set? gh variable list --env ${stage}-read; gh secret list --env ${stage}-read (docs/pipeline.md#set-up)`,
  ),
  asks('a page', 'has a test page arrived? docs/before-you-rely-on-it.md#alarms-and-costs'),
  asks('a release', 'has a canary been rolled back in staging? docs/before-you-rely-on-it.md#releases'),
  asks(
    'a restore',
    'has a table been restored in staging, and how long did it take? docs/before-you-rely-on-it.md#tables',
  ),
  ...(settings.domain ? [asks('DNS', `does ${settings.domain.name} lead to the output DomainTarget?`)] : []),
  asks('promises', 'do partners know limits, deprecations, and whom to ask?'),
];
