import { stackName } from '../../../infra/stack-names.ts';
import { type Caller, readCaller } from '../aws/caller.ts';
import type { Stack } from '../aws/stack.ts';
import type { Fact } from '../fact.ts';
import type { Reading, Verb } from '../read-stage.ts';
import { formatTime, type Row, type Section, unreadText } from '../report.ts';
import { errorRows } from './error-rows.ts';
import { readFacts } from './facts.ts';
import { gatewayRows, keyRows, requestRows } from './request-rows.ts';
import { alarmRows, functionRows, idRows, stackRow } from './stack-rows.ts';
import { tableRows } from './table-rows.ts';
import { timeline } from './timeline.ts';

/** Shows how a stage is, and what happened to it. It concludes nothing. */
export const status: Verb<{ readonly minutes: number }> = {
  role: 'on-call',
  run: async (reading, { minutes }) => {
    const { stage, stack, now, attempt, clients } = reading;
    if (!exists(stack)) {
      const caller = await attempt('caller', {}, () => readCaller(clients));
      const text = `${stackName(stage)} does not exist in this account and region: npm run stage -- check ${stage}`;
      return sections([{ title: 'NOW', rows: [callerRow(reading, caller), { title: 'Stack', text }] }]);
    }
    const facts = await readFacts(reading, stack, minutes);
    const rows = [
      callerRow(reading, facts.caller),
      stackRow(stack),
      ...alarmRows(facts.alarms, stack, reading),
      ...requestRows(facts),
      ...gatewayRows(facts, now),
      ...keyRows(facts),
      ...errorRows(facts, stack),
      ...functionRows(facts),
      ...tableRows(facts, stage),
      ...idRows(stack),
    ];
    return sections([{ title: 'NOW', rows }, timeline(facts, now, minutes)]);
  },
};

const exists = (stack: Fact<Stack | undefined>): stack is Fact<Stack> =>
  !stack.isRead || stack.value !== undefined;

const sections = (own: readonly Section[]) => ({
  findings: [],
  because: {},
  sections: own,
});

/** Who asks where comes first: a wrong profile or region shows at once. */
function callerRow({ stage, now }: Reading, caller: Fact<Caller>): Row {
  const who = caller.isRead
    ? `account ${caller.value.account}, ${caller.value.region}, as ${caller.value.arn}`
    : unreadText(caller.missing);
  return { title: stage, text: `${who}, ${formatTime(now)}` };
}
