import { GetAccountSettingsCommand } from '@aws-sdk/client-lambda';
import { GetTopicAttributesCommand } from '@aws-sdk/client-sns';
import { loadSharedConfigFiles } from '@smithy/core/config';
import { accessStackName } from '../../../infra/access/names.ts';
import { type Caller, readCaller } from '../aws/caller.ts';
import { before } from '../aws/logs.ts';
import { readRequests } from '../aws/requests.ts';
import { readFailure, readStack } from '../aws/stack.ts';
import { derive, type Fact, infer, read } from '../fact.ts';
import type { Reading, Verb } from '../read-stage.ts';
import { concluded, type Finding, finding } from '../report.ts';
import type { SetUpFacts, State } from './set-up.ts';
import { setUpChecks } from './set-up-checks.ts';

/** Says which steps of the set-up are done, and the next one. */
export const check: Verb<object> = {
  role: 'administrator',
  run: async (reading) => {
    const { attempt, clients } = reading;
    const caller = await attempt('account', {}, () => readCaller(clients));
    // Without them, every other call fails too.
    if (!caller.isRead) return { findings: [unknownCaller], because: {} };
    const facts = await readFacts(reading, caller.value);
    const shown = Object.fromEntries(
      Object.entries(setUpChecks(reading)).map(([title, show]) => [
        title,
        infer(facts, (known) => show(known, reading)),
      ]),
    );
    return {
      findings: [...concluded(conclusion(shown)), ...requestEarly(shown)],
      because: Object.fromEntries(Object.entries(shown).map(([title, state]) => [title, [stateText(state)]])),
    };
  },
};

const unknownCaller = finding('Who you are, and in which region, could not be read.', {
  text: 'unless you are signed in, sign in as the administrator, and set AWS_PROFILE and AWS_REGION: docs/deploying.md#before-clients-depend-on-it',
});

async function readFacts(
  { stage, stack, now, clients, attempt }: Reading,
  caller: Caller,
): Promise<SetUpFacts> {
  const find = (name: string) => attempt(name, {}, () => readStack(clients, name));
  const config = await attempt('profiles', {}, () => loadSharedConfigFiles());
  const account = await attempt('concurrency', {}, () =>
    clients.lambda.send(new GetAccountSettingsCommand()),
  );
  return {
    caller: read(caller),
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
      const topics = ['TopicsPage', 'TopicsTicket'].flatMap(
        (id) => found?.idsOf('AWS::SNS::Topic', id) ?? [],
      );
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

type Shown = Readonly<Record<string, Fact<State>>>;

/** The first step that is not done is next, unless one before it could not be read. */
function conclusion(shown: Shown): Fact<readonly Finding[]> {
  return infer(shown, (states) => {
    const next = Object.keys(states).find((title) => states[title]?.isDone === false);
    if (next === undefined) {
      const asked = Object.values(states).filter(({ isDone }) => isDone === undefined);
      const says = 'What can be read is done. The rest are questions to you.';
      return [finding(says, ...asked.map(({ text }) => ({ text })))];
    }
    const says = `Not all is done. The next is: ${next}.`;
    return [finding(says, ...(states[next]?.next ?? []))];
  });
}

/** AWS may take days, so that it is good to ask before the other steps. */
function requestEarly({ access, concurrency }: Shown): readonly Finding[] {
  const isEarly = access?.isRead && concurrency?.isRead && access.value.isDone === false;
  if (!isEarly || concurrency.value.isDone !== false) return [];
  return [finding('AWS may take days to raise the quota.', ...(concurrency.value.next ?? []))];
}

function stateText(state: Fact<State>): string {
  if (!state.isRead) return '? could not be read';
  const { isDone, text } = state.value;
  return `${isDone === undefined ? '?' : isDone ? 'DONE:' : 'TO DO:'} ${text}`;
}
