import {
  type AlarmType,
  type CompositeAlarm,
  paginateDescribeAlarmHistory,
  paginateDescribeAlarms,
} from '@aws-sdk/client-cloudwatch';
import * as v from 'valibot';
import { type AlarmKind, alarmKinds, type Section, sections } from '../../../infra/monitoring/alarm-kinds.ts';
import type { Clients } from './clients.ts';
import { type Newest, readNewest } from './newest.ts';

/** An alarm as CloudWatch has it; `name` lacks the stack's. Only one that combines others can be held back. */
export type Alarm = { readonly name: string } & Readonly<
  Pick<CompositeAlarm, 'StateValue' | 'StateTransitionedTimestamp' | 'ActionsEnabled' | 'ActionsSuppressedBy'>
>;

/** An alarm's state has changed. */
export interface AlarmChange {
  readonly at: Date;
  readonly name: string;
  readonly from: string;
  readonly to: string;
}

/** Without them, CloudWatch returns metric alarms only. */
const AlarmTypes: AlarmType[] = ['CompositeAlarm', 'MetricAlarm'];

/** Reads the alarms of a stack. */
export async function readAlarms({ cloudWatch: client }: Clients, stack: string): Promise<readonly Alarm[]> {
  const AlarmNamePrefix = `${stack}-`;
  const pages = await Array.fromAsync(paginateDescribeAlarms({ client }, { AlarmNamePrefix, AlarmTypes }));
  const alarms = pages.flatMap(({ CompositeAlarms = [], MetricAlarms = [] }) => [
    ...CompositeAlarms,
    ...MetricAlarms,
  ]);
  return alarms.map((alarm) => ({ ...alarm, name: `${alarm.AlarmName}`.slice(AlarmNamePrefix.length) }));
}

const isKind = (name: string): name is AlarmKind => Object.hasOwn(alarmKinds, name);
const isSection = (name: string): name is Section => Object.hasOwn(sections, name);

/** Returns what an alarm means; undefined if this version of the service does not know it. */
export function meaningOf(name: string): { readonly says: string; readonly section: Section } | undefined {
  // The page combines alarms, and so does each section of tickets.
  const section = name === 'Page' ? 'a-page' : name;
  if (isSection(section)) return { says: sections[section], section };
  const [kind = ''] = name.split('-');
  return isKind(kind) ? { says: `${alarmKinds[kind].says}.`, section: alarmKinds[kind].section } : undefined;
}

/** https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_DescribeAlarmHistory.html */
const HistoryData = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    oldState: v.object({ stateValue: v.string() }),
    newState: v.object({ stateValue: v.string() }),
  }),
);

/** Reads when alarms of a stack went off and ended. AWS returns those of the whole account. */
export async function readAlarmHistory(
  { cloudWatch: client }: Clients,
  stack: string,
  from: Date,
): Promise<Newest<AlarmChange>> {
  const prefix = `${stack}-`;
  const { items, since } = await readNewest(
    paginateDescribeAlarmHistory(
      { client },
      { AlarmTypes, HistoryItemType: 'StateUpdate', StartDate: from, ScanBy: 'TimestampDescending' },
    ),
    ({ AlarmHistoryItems }) => AlarmHistoryItems,
    ({ Timestamp }) => Timestamp,
    from,
  );
  const changes = items.flatMap(({ AlarmName = '', Timestamp: at, HistoryData: data }) => {
    if (!at || !AlarmName.startsWith(prefix)) return [];
    const { oldState, newState } = v.parse(HistoryData, data);
    return [{ at, name: AlarmName.slice(prefix.length), from: oldState.stateValue, to: newState.stateValue }];
  });
  return { items: changes.filter((change) => [change.from, change.to].includes('ALARM')), since };
}
