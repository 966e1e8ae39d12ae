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

interface Alarms {
  readonly firing: readonly Alarm[];
  /** The names of those that have seen nothing. */
  readonly withoutData: readonly string[];
}

const isKind = (name: string): name is AlarmKind => Object.hasOwn(alarmKinds, name);

/** Reads how the alarms of a stage are, without those that combine others. */
export async function readAlarms({ cloudWatch: client }: Clients, stack: string): Promise<Alarms> {
  const prefix = `${stack}-`;
  const alarms = await all(
    paginateDescribeAlarms({ client }, { AlarmNamePrefix: prefix, AlarmTypes: ['MetricAlarm'] }),
    ({ MetricAlarms }) => MetricAlarms,
  );
  const named = alarms.map(({ AlarmName = '', StateValue: state, StateTransitionedTimestamp: since }) => {
    const name = AlarmName.slice(prefix.length);
    const [kind = ''] = name.split('-');
    return { name, kind: isKind(kind) ? kind : undefined, state, since };
  });
  const isOver = (name: string) =>
    named.some((own) => own.name === `${name}-${nowSuffix}` && own.state === 'OK');
  return {
    firing: named.filter(
      ({ name, state }) => state === 'ALARM' && !name.endsWith(`-${nowSuffix}`) && !isOver(name),
    ),
    withoutData: named.flatMap(({ name, state }) => (state === 'INSUFFICIENT_DATA' ? [name] : [])),
  };
}
