import { paginateDescribeAlarms } from '@aws-sdk/client-cloudwatch';
import { type AlarmKind, alarmKinds, nowSuffix } from '../../../infra/monitoring/alarm-kinds.ts';
import { all, type Clients } from './clients.ts';

/** An alarm that fires. */
export interface Alarm {
  readonly name: string;
  /** Undefined if this version of the service does not know it. */
  readonly kind: AlarmKind | undefined;
  readonly since: Date | undefined;
}

const isKind = (name: string): name is AlarmKind => Object.hasOwn(alarmKinds, name);

/** Reads which alarms of a stack fire, without those that combine others. */
export async function readFiringAlarms(
  { cloudWatch: client }: Clients,
  stack: string,
): Promise<readonly Alarm[]> {
  const prefix = `${stack}-`;
  const alarms = await all(
    paginateDescribeAlarms({ client }, { AlarmNamePrefix: prefix, AlarmTypes: ['MetricAlarm'] }),
    ({ MetricAlarms }) => MetricAlarms,
  );
  const states = new Map(alarms.map(({ AlarmName, StateValue }) => [`${AlarmName}`, StateValue]));
  return alarms.flatMap(({ AlarmName = '', StateValue, StateTransitionedTimestamp: since }) => {
    const isOver = states.get(`${AlarmName}-${nowSuffix}`) === 'OK';
    if (StateValue !== 'ALARM' || isOver || AlarmName.endsWith(`-${nowSuffix}`)) return [];
    const name = AlarmName.slice(prefix.length);
    const [kind = ''] = name.split('-');
    return [{ name, kind: isKind(kind) ? kind : undefined, since }];
  });
}
