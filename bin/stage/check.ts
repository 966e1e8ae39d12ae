import { loadSharedConfigFiles } from '@smithy/core/config';
import { accessStackName, personRoles, roleName } from '../../infra/access/names.ts';
import { keyPrefixOf } from '../../infra/key-prefix.ts';
import { stackName, tableOutput, tagsOf } from '../../infra/stack-names.ts';
import * as aws from './aws.ts';
import { baseUrlOf, type Reading, type Verb } from './read-stage.ts';
import { type Conclusion, count, finding, profileOf, type Step, step } from './report.ts';
import { readRequests, requestsOf } from './requests.ts';
import { keysId } from './tables.ts';

/** A step of the set-up. Whether it is done is undefined if nothing here can read it: then its text is a question. */
interface Check {
  readonly title: string;
  readonly isDone: boolean | undefined;
  readonly text: string;
  readonly next?: Step;
}

/** Says which steps of the set-up are done, and the next one. */
export const check: Verb<object> = {
  role: 'administrator',
  isForNewStages: true,
  run: async (reading) => {
    const facts = await read(reading);
    return conclude(
      [accountChecks, accessChecks, stageChecks, questions].flatMap((checks) => checks(reading, facts)),
      reading.settings,
    );
  },
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

async function read({ stage, stack, now, clients, attempt }: Reading) {
  const [accessLog] = stack?.idsOf('AWS::Logs::LogGroup', 'AccessLogs') ?? [];
  const week = { from: new Date(now.getTime() - 7 * 24 * 60 * 60 * 1000), to: now };
  const keyTable = stack?.outputs[tableOutput(keysId)];
  const topics = ['PageTopicArn', 'TicketTopicArn'].flatMap((output) => stack?.outputs[output] ?? []);
  /** Whether a stack is missing is a fact, unlike a call that failed. */
  const find = (name: string) => attempt(name, async () => ({ stack: await aws.readStack(clients, name) }));
  return {
    caller: await attempt('account', () => aws.readCaller(clients)),
    region: await attempt('region', () => clients.sts.config.region()),
    concurrency: await attempt('concurrency', () => aws.readConcurrency(clients)),
    access: await find(accessStackName(stage)),
    bootstrap: await find('CDKToolkit'),
    profiles: await attempt('profiles', async () => Object.keys((await loadSharedConfigFiles()).configFile)),
    subscriptions: await attempt('subscribers', () =>
      Promise.all(topics.map((topic) => aws.readSubscriptions(clients, topic))),
    ),
    keys: keyTable ? await attempt('keys', () => aws.countItems(clients, keyTable)) : undefined,
    requests: accessLog ? await attempt('requests', () => readRequests(clients, accessLog, week)) : undefined,
  };
}

function conclude(all: readonly Check[], { reservesConcurrency }: Reading['settings']): Conclusion {
  const open = all.filter(({ isDone }) => isDone === false);
  const asked = all.filter(({ isDone }) => isDone === undefined);
  const [next, after] = open;
  // AWS takes days, in which all can go on except the deploy of what reserves the quota.
  const waits = next?.title === 'concurrency' && !(reservesConcurrency && after?.title === 'deploy');
  const says = next
    ? `${open.length} of ${all.length} are to do, and ${asked.length} are questions to you. The next is: ${next.title}.`
    : `What can be read is done. ${asked.length} questions are left.`;
  const answer = {
    text: 'answer the questions, and prove in staging what you rely on: docs/before-you-rely-on-it.md',
  };
  return {
    findings: [
      finding(says, next?.next ?? answer),
      ...(waits && after?.next ? [finding(`${after.title} need not wait for that.`, after.next)] : []),
    ],
    because: all.map(({ title, isDone, text }) => [
      title,
      `${isDone === undefined ? '?' : isDone ? 'DONE:' : 'TO DO:'} ${text}`,
    ]),
  };
}

const edit = (text: string): Step => ({
  text: `${text} in the stage's record in infra/settings/stages.ts, and commit`,
});

function accountChecks(
  { stage, settings: { target, accountConcurrency, reservesConcurrency } }: Reading,
  { caller, region, concurrency }: CheckFacts,
): readonly Check[] {
  const ownProfile = profileOf(stage, 'administrator');
  const isTarget = target !== undefined && target.account === caller?.Account && target.region === region;
  return [
    {
      title: 'account',
      isDone: caller !== undefined,
      text: caller ? `${caller.Account}, as ${caller.Arn}` : 'nobody is signed in',
      next: {
        text: 'sign in',
        commands: [`aws configure sso --profile ${ownProfile}`, `aws sso login --profile ${ownProfile}`],
      },
    },
    {
      title: 'concurrency',
      isDone: concurrency === undefined ? undefined : concurrency >= accountConcurrency,
      text: `${concurrency === undefined ? '?' : count(concurrency)} of ${count(accountConcurrency)}`,
      next: step(
        'administrator',
        `request it, which can take days${reservesConcurrency ? ', before which the deploy fails' : ''}`,
        `aws service-quotas request-service-quota-increase --service-code lambda --quota-code L-B99A9384 --desired-value ${accountConcurrency}`,
      ),
    },
    {
      title: 'target',
      isDone: isTarget,
      text: `${target ? `${target.account}, ${target.region}` : 'none: the CDK would deploy anywhere'}${isTarget ? '' : `; you are in ${caller?.Account}, ${region}`}`,
      next: target
        ? { text: 'take the profile and the region of the target' }
        : edit(`set target: { account: '${caller?.Account}', region: '${region}' }`),
    },
  ];
}

function accessChecks({ stage }: Reading, facts: CheckFacts): readonly Check[] {
  const { caller, region, access, profiles = [] } = facts;
  const accessStack = accessStackName(stage);
  const tags = Object.entries(tagsOf(stage)).map(([key, value]) => `${key}=${value}`);
  const missing = personRoles.filter((role) => !profiles.includes(profileOf(stage, role)));
  return [
    {
      title: 'access',
      isDone: access && isComplete(access.stack?.status) && access.stack?.isProtected === true,
      text: access?.stack
        ? `${access.stack.status}, for ${access.stack.parameters['Operators'] ?? 'nobody'}${access.stack.isProtected ? '' : ', not protected from deletion'}`
        : `${accessStack}: ${access ? 'does not exist' : 'does it exist?'}`,
      next: step(
        'administrator',
        'deploy the access stack. Who the operators are: docs/deploying.md#first-deploy',
        `npx cdk synth ${accessStack} --quiet`,
        `aws cloudformation deploy --stack-name ${accessStack} --capabilities CAPABILITY_NAMED_IAM --template-file cdk.out/${accessStack}.template.json --tags ${tags.join(' ')} --parameter-overrides 'Operators=${identityCenterOperators}'`,
        `aws cloudformation update-termination-protection --enable-termination-protection --stack-name ${accessStack}`,
      ),
    },
    bootstrapCheck(facts),
    {
      title: 'profiles',
      isDone: missing.length === 0,
      text: missing.length === 0 ? 'of all roles' : `none here for ${missing.join(', ')}`,
      next: {
        text: 'add them, with the name of your own profile as <me>',
        commands: missing.flatMap((role) =>
          [
            `role_arn arn:aws:iam::${caller?.Account}:role/${roleName(stage, role)}`,
            'source_profile <me>',
            `region ${region}`,
          ].map((setting) => `aws configure set profile.${profileOf(stage, role)}.${setting}`),
        ),
      },
    },
  ];
}

const isComplete = (status = '') => status.endsWith('_COMPLETE') && status !== 'ROLLBACK_COMPLETE';

function stageChecks(reading: Reading, { subscriptions = [], keys, requests }: CheckFacts): readonly Check[] {
  const { stage, settings, stack } = reading;
  const unset = settings.alarms ? unsetAlarms(reading) : [];
  const pending = subscriptions.reduce((sum, topic) => sum + topic.pending, 0);
  const served = requests?.filter(({ client, status }) => client === tester && status === 200) ?? [];
  return [
    {
      title: 'alarms',
      isDone: unset.length === 0,
      text: unset.length === 0 ? 'all settings are there' : `nobody has set ${unset.join(', ')}`,
      next: edit(`set ${unset.join(', ')}`),
    },
    {
      title: 'deploy',
      isDone: isComplete(stack?.status),
      text: stack
        ? `${stack.status}, ${stack.outputs['Commit']} at ${stack.outputs['BaseUrl']}`
        : 'the stage is not deployed',
      next: step('deploy', 'deploy it', `npx cdk deploy ${stackName(stage)}`),
    },
    {
      title: 'subscribers',
      isDone: pending === 0 && subscriptions.every(({ confirmed }) => confirmed > 0),
      text: `${subscriptions.map(({ confirmed }) => confirmed).join(' and ') || 'none'} confirmed for page and ticket, ${pending} not yet`,
      next: { text: 'let each confirm the message of AWS: docs/runbook.md#nobody-was-paged' },
    },
    {
      title: 'key',
      isDone: keys === undefined ? undefined : keys > 0,
      text: keys === undefined ? 'is there a key for tests?' : `${keys} in the table`,
      next: step(
        'keys',
        'issue a key for tests, and keep it where the team keeps its secrets',
        `npm run keys -- issue --client ${tester} --stage ${stage} --expires 365d`,
      ),
    },
    {
      title: 'smoke test',
      isDone: served.length > 0,
      text: `${count(requestsOf(served))} requests of ${tester} were served in a week`,
      next: {
        text: 'run it, at the address that clients use',
        commands: [`BASE_URL=${baseUrlOf(reading)} API_KEY=${keyPrefixOf(stage)}… npm run smoke`],
      },
    },
  ];
}

const unsetAlarms = ({ settings: { alarms, expectsTrafficWithin } }: Reading) =>
  Object.entries({
    page: alarms?.page[0],
    ticket: alarms?.ticket[0],
    runbook: alarms?.runbook,
    monthlyBudget: alarms?.monthlyBudget,
    expectsTrafficWithin,
  }).flatMap(([name, value]) => (value === undefined ? [name] : []));

/** The stages of an account share the bootstrap, so that the policies of the others stay. */
function bootstrapCheck({ bootstrap, access, caller, region }: CheckFacts): Check {
  const policy = access?.stack?.outputs['CloudFormationPolicyArn'] ?? '<the access stack comes first>';
  const policies = (bootstrap?.stack?.parameters['CloudFormationExecutionPolicies'] ?? '')
    .split(',')
    .filter(Boolean);
  const kept = policies.filter((arn) => arn !== policy && !arn.endsWith('/AdministratorAccess'));
  return {
    title: 'bootstrap',
    isDone: bootstrap && policies.includes(policy) && kept.length === policies.length - 1,
    text: bootstrap?.stack
      ? `with ${policies.join(', ') || 'no policy'}`
      : `CDKToolkit: ${bootstrap ? 'does not exist' : 'does it exist?'}`,
    next: step(
      'administrator',
      'bootstrap with the policies of the access stacks of this account',
      `npx cdk bootstrap aws://${caller?.Account}/${region} --termination-protection --cloudformation-execution-policies ${[...kept, policy].join()}`,
    ),
  };
}

/** What no call of AWS shows. */
const questions = ({ stage, settings: { domain } }: Reading): readonly Check[] =>
  Object.entries({
    pipeline: `are the variables and the secret set? gh variable list --env ${stage}-read; gh secret list --env ${stage}-read (docs/pipeline.md#set-up)`,
    domain: domain
      ? `does ${domain.name} lead to the output DomainTarget?`
      : 'shall clients use a domain of yours? docs/deploying.md#domain',
    'a page': 'has a test page arrived? docs/before-you-rely-on-it.md#alarms-and-costs',
    'a release': 'has a canary been rolled back in staging? docs/before-you-rely-on-it.md#releases',
    'a restore':
      'has a table been restored in staging, and how long did it take? docs/before-you-rely-on-it.md#tables',
    promises: 'do partners know limits, deprecations, and whom to ask?',
  }).map(([title, text]) => ({ title, isDone: undefined, text }));
