import { GetAccountSettingsCommand } from '@aws-sdk/client-lambda';
import { GetTopicAttributesCommand } from '@aws-sdk/client-sns';
import { GetCallerIdentityCommand } from '@aws-sdk/client-sts';
import { loadSharedConfigFiles } from '@smithy/core/config';
import { accessStackName, personRoles, roleName } from '../../infra/access/names.ts';
import { keyPrefixOf } from '../../infra/key-prefix.ts';
import { stackName, tagsOf } from '../../infra/stack-names.ts';
import { before, readStack } from './aws.ts';
import { baseUrlOf, type Reading, type Verb } from './read-stage.ts';
import { count, finding, profileOf, type Step, step } from './report.ts';
import { readRequests, sumOf } from './requests.ts';

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
    const { attempt, clients } = reading;
    const caller = await attempt('account', () => clients.sts.send(new GetCallerIdentityCommand()));
    const region = await attempt('region', () => clients.sts.config.region());
    // Without them, every other call fails too.
    if (!caller || region === undefined) return { findings: [notSignedIn], because: {} };
    const facts = await read(reading, { account: `${caller.Account}`, arn: `${caller.Arn}`, region });
    const { reservesConcurrency } = reading.settings;
    // Only the deploy of what reserves the quota has to wait for it.
    const parts = reservesConcurrency
      ? [accountSteps, accessSteps, quotaSteps, stageSteps, questions]
      : [accountSteps, accessSteps, stageSteps, quotaSteps, questions];
    const checks = parts.flatMap((steps) => steps(reading, facts));
    const open = checks.filter(({ isDone }) => isDone === false);
    const asked = checks.filter(({ isDone }) => isDone === undefined);
    const [next] = open;
    const quota = open.find(({ title }) => title === 'concurrency');
    const isEarly = open.some(({ title }) => title === 'access') && quota !== next;
    const says = next
      ? `Left to do: ${open.length}. The next is: ${next.title}.`
      : 'What can be read is done. The rest are questions to you.';
    return {
      findings: [
        next?.next ? finding(says, next.next) : finding(says, ...asked.map(({ text }) => ({ text }))),
        ...(isEarly && quota?.next ? [finding('AWS may take days to raise the quota.', quota.next)] : []),
      ],
      because: Object.fromEntries(
        checks.map(({ title, isDone, text }) => [
          title,
          [`${isDone === undefined ? '?' : isDone ? 'DONE:' : 'TO DO:'} ${text}`],
        ]),
      ),
    };
  },
};

/**
 * Returns the operators that have the caller's permission set of IAM Identity Center. The role of a permission set
 * has a region in its path, unless that of the Identity Center is us-east-1.
 * https://docs.aws.amazon.com/singlesignon/latest/userguide/referencingpermissionsets.html
 */
export function identityCenterOperators(callerArn: string): string {
  const [, permissionSet = '<permission set>'] = /\/AWSReservedSSO_(.+)_[^_]+\//.exec(callerArn) ?? [];
  return `arn:aws:iam::*:role/aws-reserved/sso.amazonaws.com/*AWSReservedSSO_${permissionSet}_*`;
}

const notSignedIn = finding('You are not signed in to AWS, or in no region.', {
  text: 'sign in as the administrator, and set AWS_PROFILE and AWS_REGION: docs/deploying.md#first-deploy',
});

/** Who asks, and where. */
interface Caller {
  readonly account: string;
  readonly arn: string;
  readonly region: string;
}

/** The client of the key for tests. */
const tester = 'smoke-test';

type Facts = Awaited<ReturnType<typeof read>>;

async function read({ stage, stack, now, clients, attempt }: Reading, caller: Caller) {
  const [accessLog] = stack?.idsOf('AWS::Logs::LogGroup', 'AccessLogs') ?? [];
  const topics = ['PageTopicArn', 'TicketTopicArn'].flatMap((output) => stack?.outputs[output] ?? []);
  const attributesOf = async (TopicArn: string) =>
    (await clients.sns.send(new GetTopicAttributesCommand({ TopicArn }))).Attributes ?? {};
  /** Whether a stack is missing is a fact, unlike a call that failed. */
  const find = (name: string) => attempt(name, async () => ({ stack: await readStack(clients, name) }));
  return {
    caller,
    account: await attempt('concurrency', () => clients.lambda.send(new GetAccountSettingsCommand())),
    access: await find(accessStackName(stage)),
    bootstrap: await find('CDKToolkit'),
    profiles: await attempt('profiles', async () => Object.keys((await loadSharedConfigFiles()).configFile)),
    subscribers: await attempt('subscribers', () => Promise.all(topics.map(attributesOf))),
    requests: accessLog
      ? await attempt('requests', () => readRequests(clients, accessLog, before(now, 7 * 24 * 60)))
      : undefined,
  };
}

const isComplete = (status = '') => status.endsWith('_COMPLETE') && status !== 'ROLLBACK_COMPLETE';

const edit = (text: string): Step => ({
  text: `${text} in the stage's record in infra/settings/stages.ts, and commit`,
});

function accountSteps({ settings: { target } }: Reading, { caller }: Facts): readonly Check[] {
  const { account, arn, region } = caller;
  return [
    { title: 'sign-in', isDone: true, text: `You are ${arn}, in ${region}` },
    {
      title: 'target',
      isDone: target !== undefined && target.account === account && target.region === region,
      text: target ? `${target.account}, ${target.region}` : 'none: the CDK would deploy anywhere',
      next: target
        ? { text: 'take the profile and the region of the target' }
        : edit(`set target: { account: '${account}', region: '${region}' }`),
    },
  ];
}

function quotaSteps({ settings }: Reading, { account }: Facts): readonly Check[] {
  const { accountConcurrency, reservesConcurrency } = settings;
  const concurrency = account?.AccountLimit?.ConcurrentExecutions;
  return [
    {
      title: 'concurrency',
      isDone: concurrency === undefined ? undefined : concurrency >= accountConcurrency,
      text: `${concurrency === undefined ? '?' : count(concurrency)} of ${count(accountConcurrency)}`,
      next: step(
        'administrator',
        `request it once${reservesConcurrency ? ': until then, the deploy fails' : ''}`,
        `aws service-quotas request-service-quota-increase --service-code lambda --quota-code L-B99A9384 --desired-value ${accountConcurrency}`,
      ),
    },
  ];
}

function accessSteps({ stage }: Reading, facts: Facts): readonly Check[] {
  const { caller, access, bootstrap, profiles = [] } = facts;
  const accessStack = accessStackName(stage);
  const tags = Object.entries(tagsOf(stage)).map(([key, value]) => `${key}=${value}`);
  const missing = personRoles.filter((role) => !profiles.includes(profileOf(stage, role)));
  const policy = access?.stack?.outputs['CloudFormationPolicyArn'] ?? '<the access stack comes first>';
  const policies = (bootstrap?.stack?.parameters['CloudFormationExecutionPolicies'] ?? '')
    .split(',')
    .filter(Boolean);
  // The stages of an account share the bootstrap, so that the policies of the others stay.
  const kept = policies.filter((arn) => arn !== policy && !arn.endsWith('/AdministratorAccess'));
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
        `aws cloudformation deploy --stack-name ${accessStack} --capabilities CAPABILITY_NAMED_IAM --template-file cdk.out/${accessStack}.template.json --tags ${tags.join(' ')} --parameter-overrides 'Operators=${identityCenterOperators(caller.arn)}'`,
        `aws cloudformation update-termination-protection --enable-termination-protection --stack-name ${accessStack}`,
      ),
    },
    {
      title: 'bootstrap',
      isDone: bootstrap && policies.includes(policy) && kept.length === policies.length - 1,
      text: bootstrap?.stack
        ? `with ${policies.join(', ') || 'no policy'}`
        : `CDKToolkit: ${bootstrap ? 'does not exist' : 'does it exist?'}`,
      next: step(
        'administrator',
        'bootstrap with the policies of the access stacks of this account',
        `npx cdk bootstrap aws://${caller.account}/${caller.region} --termination-protection --cloudformation-execution-policies ${[...kept, policy].join()}`,
      ),
    },
    {
      title: 'profiles',
      isDone: missing.length === 0,
      text: missing.length === 0 ? 'of all roles' : `none here for ${missing.join(', ')}`,
      next: {
        text: `add them, with your own profile, such as ${stage}-admin, as <me>`,
        commands: missing.flatMap((role) =>
          [
            `role_arn arn:aws:iam::${caller.account}:role/${roleName(stage, role)}`,
            'source_profile <me>',
            `region ${caller.region}`,
          ].map((setting) => `aws configure set profile.${profileOf(stage, role)}.${setting}`),
        ),
      },
    },
  ];
}

function stageSteps(reading: Reading, { subscribers = [], requests = [] }: Facts): readonly Check[] {
  const { stage, stack, settings } = reading;
  const unset = unsetAlarms(reading);
  const whatIsSet = settings.alarms ? 'all settings are there' : 'this stage has none';
  const lists = [settings.alarms?.page, settings.alarms?.ticket];
  const topics = subscribers.map((topic, index) => ({
    confirmed: Number(topic['SubscriptionsConfirmed']),
    all: lists[index]?.length ?? 0,
  }));
  const served = requests.filter(({ client, status }) => client === tester && status === 200);
  return [
    {
      title: 'alarms',
      isDone: unset.length === 0,
      text: unset.length === 0 ? whatIsSet : `nobody has set ${unset.join(', ')}`,
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
      isDone: topics.every(({ confirmed, all }) => confirmed >= all),
      text: `${topics.map(({ confirmed, all }) => `${confirmed} of ${all}`).join(' and ') || 'none'} have confirmed for page and ticket`,
      next: { text: 'let each confirm the message of AWS within two days: docs/runbook.md#nobody-was-paged' },
    },
    {
      title: 'key and smoke test',
      isDone: served.length > 0,
      text: `${count(sumOf(served))} requests of ${tester} were served in a week`,
      next: step(
        'keys',
        'issue a key for tests, keep it where the team keeps its secrets, and test with it at the address that clients use',
        `npm run keys -- issue --client ${tester} --stage ${stage} --expires 365d`,
        `BASE_URL=${baseUrlOf(reading)} API_KEY=${keyPrefixOf(stage)}… npm run smoke`,
      ),
    },
  ];
}

const unsetAlarms = ({ settings: { alarms } }: Reading) =>
  Object.entries({
    page: alarms?.page[0],
    ticket: alarms?.ticket[0],
    runbook: alarms?.runbook,
    monthlyBudget: alarms?.monthlyBudget,
  }).flatMap(([name, value]) => (alarms && value === undefined ? [name] : []));

/** What no call of AWS shows. */
const questions = ({
  stage,
  settings: { alarms, domain, expectsTrafficWithin },
}: Reading): readonly Check[] =>
  Object.entries({
    pipeline: `are the variables and the secret set? gh variable list --env ${stage}-read; gh secret list --env ${stage}-read (docs/pipeline.md#set-up)`,
    domain: domain
      ? `does ${domain.name} lead to the output DomainTarget?`
      : 'shall clients use a domain of yours? docs/deploying.md#domain',
    ...(alarms && {
      traffic: expectsTrafficWithin
        ? `are clients never silent for ${expectsTrafficWithin.toHumanString()}?`
        : 'within which time do clients always call? If you know, set expectsTrafficWithin: docs/deploying.md#alarms',
    }),
    'before you rely on it':
      'have a page, a rollback and a restore been tried in staging? docs/before-you-rely-on-it.md',
    promises:
      'do partners know limits, deprecations, the region, how long data is kept, where incidents are announced, when maintenance takes place, and whom to contact?',
  }).map(([title, text]) => ({ title, isDone: undefined, text }));
