import { bootstrapRoleName } from '../../../infra/access/names.ts';
import { keyPrefixOf } from '../../../infra/key-prefix.ts';
import { unsetSettings } from '../../../infra/settings/alarm-settings.ts';
import { stackName } from '../../../infra/stack-names.ts';
import { sumOf } from '../aws/requests.ts';
import { command } from '../command.ts';
import { baseUrlOf } from '../read-stage.ts';
import { count, step } from '../report.ts';
import { type Check, edit, isComplete } from './set-up.ts';

export const alarms: Check = (_known, { settings: { alarms: own } }) => {
  const unset = own ? unsetSettings(own) : {};
  const texts = Object.values(unset);
  return {
    isDone: texts.length === 0,
    text: texts.join(' ') || (own ? 'all settings are there' : 'this stage has none'),
    next: edit(`as docs/deploying.md#alarms says, set ${Object.keys(unset).join(', ')}`),
  };
};

export const deploy: Check = ({ caller, stack, failure }, { stage }) => {
  const deployIt = (text: string) =>
    step('deploy', text, command`npx cdk deploy ${stackName(stage)} --exclusively`);
  // A change set that nobody has executed.
  if (!stack || stack.status === 'REVIEW_IN_PROGRESS') {
    return {
      isDone: false,
      text: 'the stage is not deployed',
      next: [deployIt('deploy it')],
    };
  }
  const { name, status, isProtected, outputs, serviceRole } = stack;
  const ownRole = bootstrapRoleName('cfn-exec', caller.account, caller.region);
  if (isComplete(status) && serviceRole !== undefined && !serviceRole.endsWith(`/${ownRole}`)) {
    return {
      isDone: false,
      text: `${status}, with the service role ${serviceRole}`,
      next: [deployIt('whoever may deploy can use this role: replace it, by deploying the next commit')],
    };
  }
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

export const subscribers: Check = ({ confirmed }, { settings }) => {
  const lists = [settings.alarms?.page ?? [], settings.alarms?.ticket ?? []];
  const all = lists.map(({ length }, index) => ({ length, own: confirmed[index] ?? 0 }));
  return {
    isDone: all.every(({ length, own }) => length > 0 && own >= length),
    text: `${all.map(({ length, own }) => `${own} of ${length}`).join(' and ')} have confirmed for page and ticket`,
    next: [{ text: 'let each confirm the message of AWS within two days: docs/runbook.md#nobody-was-paged' }],
  };
};

/** The client of the key for tests. */
const tester = 'smoke-test';

export const smokeTest: Check = ({ stack, requests }, reading) => {
  const served = requests.filter(({ client, status }) => client === tester && status === 200);
  return {
    isDone: served.length > 0,
    text: `${count(sumOf(served))} requests of ${tester} were served in a week`,
    next: [
      step(
        'keys',
        'issue a key for tests, keep it where the team keeps its secrets, and test with it',
        command`npm run keys -- issue --client ${tester} --stage ${reading.stage} --expires 365d`,
        command`BASE_URL=${baseUrlOf(reading, stack)} API_KEY=${keyPrefixOf(reading.stage)}… npm run smoke`,
      ),
    ],
  };
};
