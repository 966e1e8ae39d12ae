import { GetAccountSettingsCommand } from '@aws-sdk/client-lambda';
import { GetTopicAttributesCommand } from '@aws-sdk/client-sns';
import { GetCallerIdentityCommand } from '@aws-sdk/client-sts';
import { loadSharedConfigFiles } from '@smithy/core/config';
import { accessStackName } from '../../infra/access/names.ts';
import { before } from './aws/logs.ts';
import { readFailure, readStack } from './aws/stack.ts';
import { derive, together } from './fact.ts';
import type { Reading, Verb } from './read-stage.ts';
import { concluded, finding } from './report.ts';
import { readRequests } from './requests.ts';
import { type Caller, type Check, type Facts, setUpChecks } from './set-up-checks.ts';

/** Says which steps of the set-up are done, and the next one. */
export const check: Verb<object> = {
  role: 'administrator',
  run: async (reading) => {
    const { attempt, clients } = reading;
    const caller = await attempt('account', {}, async () => {
      const { Account, Arn } = await clients.sts.send(new GetCallerIdentityCommand());
      return { account: `${Account}`, arn: `${Arn}`, region: await clients.sts.config.region() };
    });
    // Without them, every other call fails too.
    if (!caller.isRead) return { findings: [notSignedIn], because: {} };
    const checks = setUpChecks(reading, await read(reading, caller.value));
    return {
      findings: [...conclusion(checks), ...requestEarly(checks)],
      because: Object.fromEntries(checks.map(({ title, state }) => [title, [stateText(state)]])),
    };
  },
};

const notSignedIn = finding('You are not signed in to AWS, or in no region.', {
  text: 'sign in as the administrator, and set AWS_PROFILE and AWS_REGION: docs/deploying.md#before-clients-depend-on-it',
});

async function read({ stage, stack, now, clients, attempt }: Reading, caller: Caller): Promise<Facts> {
  const find = (name: string) => attempt(name, {}, () => readStack(clients, name));
  const config = await attempt('profiles', {}, () => loadSharedConfigFiles());
  const account = await attempt('concurrency', {}, () =>
    clients.lambda.send(new GetAccountSettingsCommand()),
  );
  return {
    caller,
    stack,
    profiles: derive(config, ({ configFile }) => Object.keys(configFile)),
    concurrency: derive(account, ({ AccountLimit }) => AccountLimit?.ConcurrentExecutions ?? 0),
    access: await find(accessStackName(stage)),
    bootstrap: await find('CDKToolkit'),
    failure: await attempt(
      'failures',
      { stack },
      async ({ stack: found }) => found && readFailure(clients, found),
    ),
    confirmed: await attempt('subscribers', { stack }, ({ stack: found }) => {
      const topics = ['PageTopicArn', 'TicketTopicArn'].flatMap((output) => found?.outputs[output] ?? []);
      const calls = topics.map((TopicArn) => clients.sns.send(new GetTopicAttributesCommand({ TopicArn })));
      return Promise.all(
        calls.map(async (call) => Number((await call).Attributes?.['SubscriptionsConfirmed'])),
      );
    }),
    requests: await attempt('requests', { stack }, async ({ stack: found }) => {
      const [accessLog] = found?.idsOf('AWS::Logs::LogGroup', 'AccessLogs') ?? [];
      return accessLog ? readRequests(clients, accessLog, before(now, 7 * 24 * 60)) : [];
    }),
  };
}

/** The first step that is not done is next, unless one before it could not be read. */
function conclusion(checks: readonly Check[]) {
  const first = checks.findIndex(({ state }) => state.isRead && state.value.isDone === false);
  const decisive = checks.slice(0, first < 0 ? checks.length : first + 1);
  const states = together(Object.fromEntries(decisive.map(({ title, state }) => [title, state])));
  return concluded(
    derive(states, () => {
      const open = checks.filter(({ state }) => state.isRead && state.value.isDone === false);
      const [next] = open;
      if (next?.state.isRead && next.state.value.next) {
        return [finding(`Left to do: ${open.length}. The next is: ${next.title}.`, ...next.state.value.next)];
      }
      const asked = checks.flatMap(({ state }) =>
        state.isRead && state.value.isDone === undefined ? [{ text: state.value.text }] : [],
      );
      return [finding('What can be read is done. The rest are questions to you.', ...asked)];
    }),
  );
}

/** AWS may take days, so that it is good to ask before the other steps. */
function requestEarly(checks: readonly Check[]) {
  const next = (title: string) => {
    const state = checks.find((check) => check.title === title)?.state;
    return state?.isRead && state.value.isDone === false ? state.value.next : undefined;
  };
  const quota = next('access') && next('concurrency');
  return quota ? [finding('AWS may take days to raise the quota.', ...quota)] : [];
}

function stateText(state: Check['state']): string {
  if (!state.isRead) return '? could not be read';
  const { isDone, text } = state.value;
  return `${isDone === undefined ? '?' : isDone ? 'DONE:' : 'TO DO:'} ${text}`;
}
