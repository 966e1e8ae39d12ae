import { identityCenterOperators } from '../../infra/access/identity-center.ts';
import { accessStackName, nobody, personRoles, roleName } from '../../infra/access/names.ts';
import { keyPrefixOf } from '../../infra/key-prefix.ts';
import { stackName, stackPrefix, stagePattern } from '../../infra/stack-names.ts';
import { type RequestGroup, sumOf } from './aws/requests.ts';
import type { Stack } from './aws/stack.ts';
import { command } from './command.ts';
import type { Fact } from './fact.ts';
import { baseUrlOf, type Reading } from './read-stage.ts';
import { count, profileOf, type Step, step } from './report.ts';

/** What is known of the set-up. A stack that does not exist is undefined. */
interface Known {
  readonly caller: Caller;
  /** The names of the profiles on this machine. */
  readonly profiles: readonly string[];
  /** How many functions may run in the account at once. */
  readonly concurrency: number;
  readonly access: Stack | undefined;
  readonly bootstrap: Stack | undefined;
  readonly stack: Stack | undefined;
  /** Why the last operation of the stack failed, if it did. */
  readonly failure: string | undefined;
  /** How many have confirmed for page and ticket. */
  readonly confirmed: readonly number[];
  /** The requests of a week. */
  readonly requests: readonly RequestGroup[];
}
export type SetUpFacts = { readonly [Name in keyof Known]: Fact<Known[Name]> };

/** Who asks, and where. */
export interface Caller {
  readonly account: string;
  readonly arn: string;
  readonly region: string;
}

/** How far a step of the set-up is. */
export interface State {
  /** Undefined if no call shows it: then the text is a question. */
  readonly isDone: boolean | undefined;
  readonly text: string;
  readonly next?: readonly Step[];
}

type Check = (known: Known, reading: Reading) => State;

/** Returns the steps of the set-up by their titles, in order. */
export function setUpChecks({ settings }: Reading): Readonly<Record<string, Check>> {
  // Only the deploy of what reserves the quota has to wait for it.
  const [early, late] = settings.reservesConcurrency ? [{ concurrency }, {}] : [{}, { concurrency }];
  return {
    'sign-in': ({ caller: { arn, region } }) => ({ isDone: true, text: `You are ${arn}, in ${region}` }),
    target,
    access,
    bootstrap,
    profiles,
    ...early,
    alarms,
    deploy,
    ...(settings.alarms && { subscribers }),
    'key and smoke test': smokeTest,
    ...late,
    ...questions,
    ...(settings.alarms && { traffic }),
  };
}

const isComplete = (status: string) =>
  /_COMPLETE(_CLEANUP_IN_PROGRESS)?$/.test(status) && status !== 'ROLLBACK_COMPLETE';

const edit = (text: string): readonly Step[] => [
  { text: `${text} in the stage's record in infra/settings/stages.ts, and commit` },
];

const target: Check = ({ caller: { account, region } }, { settings: { target: own } }) => ({
  isDone: own?.account === account && own.region === region,
  text: own ? `${own.account}, ${own.region}` : 'none: the CDK would deploy anywhere',
  next: own
    ? [{ text: 'take the profile and the region of the target' }]
    : edit(`set target: { account: '${account}', region: '${region}' }`),
});

const concurrency: Check = ({ concurrency: own }, { settings }) => {
  const { accountConcurrency, reservesConcurrency } = settings;
  return {
    isDone: own >= accountConcurrency,
    text: `${count(own)} of ${count(accountConcurrency)}`,
    next: [
      step(
        'administrator',
        `request it once${reservesConcurrency ? ': until then, the deploy fails' : ''}`,
        command`aws service-quotas request-service-quota-increase --service-code lambda --quota-code L-B99A9384 --desired-value ${accountConcurrency}`,
      ),
    ],
  };
};

const access: Check = ({ caller, access: own }, { stage }) => {
  const accessStack = accessStackName(stage);
  const isProtected = own?.isProtected ?? false;
  const operators = own?.parameters['Operators'];
  return {
    isDone: own !== undefined && isComplete(own.status) && isProtected && operators !== nobody,
    text: own
      ? `${own.status}, for ${operators}${isProtected ? '' : ', not protected from deletion'}`
      : `${accessStack}: does not exist`,
    next: [
      step(
        'administrator',
        'deploy the access stack. Who the operators are: docs/deploying.md#before-clients-depend-on-it',
        command`npx cdk deploy ${accessStack} --parameters ${`Operators=${identityCenterOperators(caller.arn)}`}`,
      ),
    ],
  };
};

/** Only the policies of this service's stages: any other lets CloudFormation do more than they need. */
const bootstrap: Check = ({ caller: { account, region }, access: own, bootstrap: found }) => {
  const policy = own?.outputs['CloudFormationPolicyArn'] ?? '<the access stack comes first>';
  const ofStages = new RegExp(
    `^arn:[\\w-]+:iam::${account}:policy/${stackPrefix}-${stagePattern}-access-cloudformation$`,
  );
  const listed = (found?.parameters['CloudFormationExecutionPolicies'] ?? '').split(',');
  const policies = listed.filter((arn) => arn !== '');
  const foreign = policies.filter((arn) => arn !== policy && !ofStages.test(arn));
  // The stages of an account share the bootstrap, so that the policies of the others stay.
  const all = new Set([...policies.filter((arn) => ofStages.test(arn)), policy]);
  const more = foreign.length > 0 ? `, of which no stage needs ${foreign.join(', ')}` : '';
  return {
    isDone: policies.includes(policy) && foreign.length === 0,
    text: found ? `with ${policies.join(', ') || 'no policy'}${more}` : 'CDKToolkit: does not exist',
    next: [
      step(
        'administrator',
        'bootstrap with the policies of the access stacks of this account',
        command`npx cdk bootstrap ${`aws://${account}/${region}`} --termination-protection --cloudformation-execution-policies ${[...all].join()}`,
      ),
    ],
  };
};

const profiles: Check = ({ caller: { account, region }, profiles: names }, { stage }) => {
  const missing = personRoles.filter((role) => !names.includes(profileOf(stage, role)));
  const commands = missing.flatMap((role) => {
    const profile = profileOf(stage, role);
    const arn = `arn:aws:iam::${account}:role/${roleName(stage, role)}`;
    return [
      command`aws configure set profile.${profile}.role_arn ${arn}`,
      command`aws configure set profile.${profile}.source_profile <me>`,
      command`aws configure set profile.${profile}.region ${region}`,
    ];
  });
  return {
    isDone: missing.length === 0,
    text: missing.length === 0 ? 'of all roles' : `none here for ${missing.join(', ')}`,
    next: [{ text: `add them, with your own profile, such as ${stage}-admin, as <me>`, commands }],
  };
};

const alarms: Check = (_known, { settings: { alarms: own } }) => {
  const settings = {
    page: own?.page[0],
    ticket: own?.ticket[0],
    runbook: own?.runbook,
    monthlyBudget: own?.monthlyBudget,
  };
  const unset = Object.entries(settings).flatMap(([name, value]) =>
    own && value === undefined ? [name] : [],
  );
  return {
    isDone: unset.length === 0,
    text:
      unset.length > 0
        ? `nobody has set ${unset.join(', ')}`
        : own
          ? 'all settings are there'
          : 'this stage has none',
    next: edit(`set ${unset.join(', ')}`),
  };
};

const deploy: Check = ({ stack, failure }, { stage }) => {
  const deployIt = (text: string) =>
    step('deploy', text, command`npx cdk deploy ${stackName(stage)} --exclusively`);
  if (!stack) return { isDone: false, text: 'the stage is not deployed', next: [deployIt('deploy it')] };
  const { name, status, isProtected, outputs } = stack;
  if (isComplete(status)) {
    return { isDone: true, text: `${status}, ${outputs['Commit']} at ${outputs['BaseUrl']}` };
  }
  if (status.endsWith('_IN_PROGRESS'))
    return { isDone: false, text: status, next: [{ text: 'wait until it ends' }] };
  const isNew = /^(CREATE|ROLLBACK)_/.test(status);
  const unprotect = step(
    'administrator',
    'let the failed stack be deleted',
    command`aws cloudformation update-termination-protection --no-enable-termination-protection --stack-name ${name}`,
  );
  return {
    isDone: false,
    text: `${status}, first because of ${failure ?? 'what CloudFormation does not say'}`,
    next: isNew
      ? [
          ...(isProtected ? [unprotect] : []),
          // https://github.com/aws/aws-cdk/issues/13511
          deployIt('deploy again, which deletes it first: a role may have been too new for API Gateway'),
          { text: 'if that fails too, delete what remains: docs/deploying.md#tear-down' },
        ]
      : [step('on-call', 'see what to do', command`npm run stage -- rollback ${stage}`)],
  };
};

const subscribers: Check = ({ confirmed }, { settings }) => {
  const lists = [settings.alarms?.page ?? [], settings.alarms?.ticket ?? []];
  const all = lists.map(({ length }, index) => ({ length, own: confirmed[index] ?? 0 }));
  return {
    isDone: all.every(({ length, own }) => length > 0 && own >= length),
    text: `${all.map(({ length, own }) => `${own} of ${length}`).join(' and ')} have confirmed for page and ticket`,
    next: all.some(({ length }) => length === 0)
      ? edit('set page and ticket')
      : [{ text: 'let each confirm the message of AWS within two days: docs/runbook.md#nobody-was-paged' }],
  };
};

/** The client of the key for tests. */
const tester = 'smoke-test';

const smokeTest: Check = ({ stack, requests }, reading) => {
  const served = requests.filter(({ client, status }) => client === tester && status === 200);
  return {
    isDone: served.length > 0,
    text: `${count(sumOf(served))} requests of ${tester} were served in a week`,
    next: [
      step(
        'keys',
        'issue a key for tests, keep it where the team keeps its secrets, and test with it at the address that clients use',
        command`npm run keys -- issue --client ${tester} --stage ${reading.stage} --expires 365d`,
        command`BASE_URL=${baseUrlOf(reading, stack)} API_KEY=${keyPrefixOf(reading.stage)}… npm run smoke`,
      ),
    ],
  };
};

const asked =
  (text: (reading: Reading) => string): Check =>
  (_known, reading) => ({
    isDone: undefined,
    text: text(reading),
  });

const traffic = asked(({ settings: { expectsTrafficWithin } }) =>
  expectsTrafficWithin
    ? `are clients never silent for ${expectsTrafficWithin.toHumanString()}?`
    : 'within which time do clients always call? If you know, set expectsTrafficWithin: docs/deploying.md#alarms',
);

/** What no call of AWS shows. */
const questions = {
  pipeline: asked(
    ({ stage }) =>
      `are the variables and the secret set? gh variable list --env ${stage}-read; gh secret list --env ${stage}-read (docs/pipeline.md#set-up)`,
  ),
  domain: asked(({ settings: { domain } }) =>
    domain
      ? `does ${domain.name} lead to the output DomainTarget?`
      : 'shall clients use a domain of yours? docs/deploying.md#domain',
  ),
  'before you rely on it': asked(
    () => 'have a page, a rollback and a restore been tried in staging? docs/before-you-rely-on-it.md',
  ),
  promises: asked(
    () =>
      'do partners know limits, deprecations, the region, how long data is kept, where incidents are announced, when maintenance takes place, and whom to contact?',
  ),
};
