import { accessStackName, nobody, personRoles, roleName } from '../../infra/access/names.ts';
import { keyPrefixOf } from '../../infra/key-prefix.ts';
import { stackName, stackPrefix, stagePattern } from '../../infra/stack-names.ts';
import type { Stack } from './aws/stack.ts';
import { command } from './command.ts';
import { derive, type Fact, read, together } from './fact.ts';
import { baseUrlOf, type Reading } from './read-stage.ts';
import { count, profileOf, type Step, step } from './report.ts';
import { type RequestGroup, sumOf } from './requests.ts';

/** A step of the set-up, as far as it could be read. */
export interface Check {
  readonly title: string;
  readonly state: Fact<State>;
}

interface State {
  /** Undefined if no call shows it: then the text is a question. */
  readonly isDone: boolean | undefined;
  readonly text: string;
  readonly next?: readonly Step[];
}

/** Who asks, and where. */
export interface Caller {
  readonly account: string;
  readonly arn: string;
  readonly region: string;
}

/** What is known of the set-up. A stack that does not exist is undefined. */
export interface Facts {
  readonly caller: Caller;
  /** The names of the profiles on this machine. */
  readonly profiles: Fact<readonly string[]>;
  /** How many functions may run in the account at once. */
  readonly concurrency: Fact<number>;
  readonly access: Fact<Stack | undefined>;
  readonly bootstrap: Fact<Stack | undefined>;
  readonly stack: Fact<Stack | undefined>;
  /** Why the last operation of the stack failed that did. */
  readonly failure: Fact<string | undefined>;
  /** How many have confirmed for page and ticket. */
  readonly confirmed: Fact<readonly number[]>;
  /** The requests of a week. */
  readonly requests: Fact<readonly RequestGroup[]>;
}

/** Returns the steps of the set-up in their order. Only the deploy of what reserves the quota has to wait for it. */
export function setUpChecks(reading: Reading, facts: Facts): readonly Check[] {
  const quota = { title: 'concurrency', state: derive(facts.concurrency, (own) => quotaState(reading, own)) };
  const account = [signIn(facts), target(reading, facts)];
  const own = [access(reading, facts), bootstrap(reading, facts), profiles(reading, facts)];
  const { reservesConcurrency } = reading.settings;
  return [
    ...account,
    ...own,
    ...(reservesConcurrency ? [quota] : []),
    ...stageChecks(reading, facts),
    ...(reservesConcurrency ? [] : [quota]),
    ...questions(reading),
  ];
}

const isComplete = (status: string) => status.endsWith('_COMPLETE') && status !== 'ROLLBACK_COMPLETE';

const edit = (text: string): readonly Step[] => [
  { text: `${text} in the stage's record in infra/settings/stages.ts, and commit` },
];

const signIn = ({ caller: { arn, region } }: Facts): Check => ({
  title: 'sign-in',
  state: read({ isDone: true, text: `You are ${arn}, in ${region}` }),
});

function target({ settings }: Reading, { caller: { account, region } }: Facts): Check {
  const own = settings.target;
  return {
    title: 'target',
    state: read({
      isDone: own?.account === account && own.region === region,
      text: own ? `${own.account}, ${own.region}` : 'none: the CDK would deploy anywhere',
      next: own
        ? [{ text: 'take the profile and the region of the target' }]
        : edit(`set target: { account: '${account}', region: '${region}' }`),
    }),
  };
}

function quotaState({ settings }: Reading, concurrency: number): State {
  const { accountConcurrency, reservesConcurrency } = settings;
  return {
    isDone: concurrency >= accountConcurrency,
    text: `${count(concurrency)} of ${count(accountConcurrency)}`,
    next: [
      step(
        'administrator',
        `request it once${reservesConcurrency ? ': until then, the deploy fails' : ''}`,
        command`aws service-quotas request-service-quota-increase --service-code lambda --quota-code L-B99A9384 --desired-value ${accountConcurrency}`,
      ),
    ],
  };
}

/**
 * Returns the operators that have the caller's permission set of IAM Identity Center. The role of a permission set
 * has a region in its path, unless that of the Identity Center is us-east-1, and a suffix of 16 characters: with any
 * suffix, the pattern for `Dev` would include the set `Dev_Support`.
 * https://docs.aws.amazon.com/singlesignon/latest/userguide/referencingpermissionsets.html
 */
export function identityCenterOperators(callerArn: string): string {
  const [, permissionSet = '<permission set>'] = /\/AWSReservedSSO_([^/]+)_[^_/]+\//.exec(callerArn) ?? [];
  return `arn:aws:iam::*:role/aws-reserved/sso.amazonaws.com/*AWSReservedSSO_${permissionSet}_${'?'.repeat(16)}`;
}

function access({ stage }: Reading, { caller, access: fact }: Facts): Check {
  const accessStack = accessStackName(stage);
  const next = step(
    'administrator',
    'deploy the access stack. Who the operators are: docs/deploying.md#before-clients-depend-on-it',
    command`npx cdk deploy ${accessStack} --parameters ${`Operators=${identityCenterOperators(caller.arn)}`}`,
  );
  return {
    title: 'access',
    state: derive(fact, (found) => ({
      isDone:
        found !== undefined &&
        isComplete(found.status) &&
        found.isProtected &&
        found.parameters['Operators'] !== nobody,
      text: found
        ? `${found.status}, for ${found.parameters['Operators']}${found.isProtected ? '' : ', not protected from deletion'}`
        : `${accessStack}: does not exist`,
      next: [next],
    })),
  };
}

/** Only the policies of this service's stages: any other lets CloudFormation do more than they need. */
function bootstrap(_reading: Reading, { caller, access: accessFact, bootstrap: fact }: Facts): Check {
  const ofStages = new RegExp(
    `^arn:[\\w-]+:iam::${caller.account}:policy/${stackPrefix}-${stagePattern}-access-cloudformation$`,
  );
  return {
    title: 'bootstrap',
    state: derive(together({ access: accessFact, found: fact }), ({ access: own, found }) => {
      const policy = own?.outputs['CloudFormationPolicyArn'] ?? '<the access stack comes first>';
      const policies = (found?.parameters['CloudFormationExecutionPolicies'] ?? '')
        .split(',')
        .filter(Boolean);
      // The stages of an account share the bootstrap, so that the policies of the others stay.
      const kept = policies.filter((arn) => arn !== policy && ofStages.test(arn));
      const foreign = policies.filter((arn) => arn !== policy && !ofStages.test(arn));
      const more = foreign.length > 0 ? `, of which no stage needs ${foreign.join(', ')}` : '';
      return {
        isDone: policies.includes(policy) && foreign.length === 0,
        text: found ? `with ${policies.join(', ') || 'no policy'}${more}` : 'CDKToolkit: does not exist',
        next: [
          step(
            'administrator',
            'bootstrap with the policies of the access stacks of this account',
            command`npx cdk bootstrap ${`aws://${caller.account}/${caller.region}`} --termination-protection --cloudformation-execution-policies ${[...kept, policy].join()}`,
          ),
        ],
      };
    }),
  };
}

function profiles({ stage }: Reading, { caller, profiles: fact }: Facts): Check {
  return {
    title: 'profiles',
    state: derive(fact, (names) => {
      const missing = personRoles.filter((role) => !names.includes(profileOf(stage, role)));
      const commands = missing.flatMap((role) => {
        const profile = `profile.${profileOf(stage, role)}`;
        const arn = `arn:aws:iam::${caller.account}:role/${roleName(stage, role)}`;
        return [
          command`aws configure set ${profile}.role_arn ${arn}`,
          command`aws configure set ${profile}.source_profile <me>`,
          command`aws configure set ${profile}.region ${caller.region}`,
        ];
      });
      return {
        isDone: missing.length === 0,
        text: missing.length === 0 ? 'of all roles' : `none here for ${missing.join(', ')}`,
        next: [{ text: `add them, with your own profile, such as ${stage}-admin, as <me>`, commands }],
      };
    }),
  };
}

/** The client of the key for tests. */
const tester = 'smoke-test';

function stageChecks(reading: Reading, facts: Facts): readonly Check[] {
  const { stage, settings } = reading;
  const { stack, failure, confirmed, requests } = facts;
  const unset = unsetAlarms(reading);
  const lists = [settings.alarms?.page ?? [], settings.alarms?.ticket ?? []].map(({ length }) => length);
  const deploy = step('deploy', 'deploy it', command`npx cdk deploy ${stackName(stage)} --exclusively`);
  return [
    {
      title: 'alarms',
      state: read({
        isDone: unset.length === 0,
        text: unset.length > 0 ? `nobody has set ${unset.join(', ')}` : alarmsText(reading),
        next: edit(`set ${unset.join(', ')}`),
      }),
    },
    {
      title: 'deploy',
      state: derive(together({ stack, failure }), ({ stack: found, failure: why }) => {
        if (!found) return { isDone: false, text: 'the stage is not deployed', next: [deploy] };
        if (found.status.endsWith('_IN_PROGRESS') && !found.status.includes('CLEANUP'))
          return { isDone: false, text: found.status, next: [{ text: 'wait until it has ended' }] };
        if (isComplete(found.status)) {
          const { Commit, BaseUrl } = found.outputs;
          return { isDone: true, text: `${found.status}, ${Commit} at ${BaseUrl}` };
        }
        return { isDone: false, text: `${found.status}, because of ${why}`, next: [deploy] };
      }),
    },
    ...(settings.alarms
      ? [
          {
            title: 'subscribers',
            state: derive(confirmed, (own): State => {
              const shown = lists.map((all, index) => `${own[index] ?? 0} of ${all}`).join(' and ');
              return {
                isDone: lists.every((all, index) => all > 0 && (own[index] ?? 0) >= all),
                text: `${shown} have confirmed for page and ticket`,
                next: lists.includes(0)
                  ? edit('set page and ticket')
                  : [
                      {
                        text: 'let each confirm the message of AWS within two days: docs/runbook.md#nobody-was-paged',
                      },
                    ],
              };
            }),
          },
        ]
      : []),
    {
      title: 'key and smoke test',
      state: derive(together({ stack, requests }), ({ stack: found, requests: groups }) => {
        const served = groups.filter(({ client, status }) => client === tester && status === 200);
        return {
          isDone: served.length > 0,
          text: `${count(sumOf(served))} requests of ${tester} were served in a week`,
          next: [
            step(
              'keys',
              'issue a key for tests, keep it where the team keeps its secrets, and test with it at the address that clients use',
              command`npm run keys -- issue --client ${tester} --stage ${stage} --expires 365d`,
              command`BASE_URL=${baseUrlOf(reading, found)} API_KEY=${keyPrefixOf(stage)}… npm run smoke`,
            ),
          ],
        };
      }),
    },
  ];
}

const alarmsText = ({ settings }: Reading) =>
  settings.alarms ? 'all settings are there' : 'this stage has none';

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
  }).map(([title, text]) => ({ title, state: read({ isDone: undefined, text }) }));
