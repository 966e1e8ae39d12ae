import { Stack } from 'aws-cdk-lib';
import { Alarm, type AlarmBase, AlarmRule, AlarmState, CompositeAlarm } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { Construct } from 'constructs';
import type { Indicators } from '../indicators/indicators.ts';
import { firesAbove, share } from '../indicators/share.ts';
import type { AlarmTopics, Severity } from './alarm-topics.ts';
import { burnRates, objectives } from './burn-rates.ts';
import type { Cause } from './causes.ts';

/** Where the runbook is published: set it to your own copy's address, so that a pager's link works. */
const runbook = 'docs/runbook.md';

/** Burn rates assume at least this many requests per hour: 15 errors page, 37 open a ticket. */
const leastRequestsPerHour = 1000;

/** The alarms of a stage. Each is named after its section in the runbook. */
export class Alarms extends Construct {
  readonly #indicators: Indicators;
  readonly #topics: AlarmTopics;

  constructor(
    scope: Construct,
    id: string,
    indicators: Indicators,
    causes: Readonly<Record<string, Cause>>,
    topics: AlarmTopics,
  ) {
    super(scope, id);
    this.#indicators = indicators;
    this.#topics = topics;

    for (const [name, objective] of Object.entries(objectives)) {
      for (const [speed, burnRate] of Object.entries(burnRates)) {
        this.#burnRateAlarm(`${name}Burns${speed}`, objective, burnRate);
      }
    }
    for (const [alarmId, { severity, meaning, ...options }] of Object.entries(causes)) {
      const alarm = new Alarm(this, alarmId, {
        alarmName: this.#named(alarmId),
        alarmDescription: describe(severity, meaning, alarmId),
        ...firesAbove,
        ...options,
      });
      this.#connect(alarm, severity);
    }
  }

  /** Creates an alarm that fires when an objective's budget burns too fast in both windows. */
  #burnRateAlarm(
    alarmId: string,
    { counted, budget, meaning }: (typeof objectives)[keyof typeof objectives],
    { severity, rate, ...windows }: (typeof burnRates)[keyof typeof burnRates],
  ): void {
    const scope = new Construct(this, alarmId);
    const name = this.#named(alarmId);
    const rules = Object.entries(windows).map(([window, period]) => {
      const alarm = new Alarm(scope, window, {
        alarmName: `${name}-${window}`,
        alarmDescription: `One of the two windows of ${name}, which fires when both do.`,
        metric: share({
          counted: this.#indicators.metric(counted),
          of: this.#indicators.metric('Served'),
          atLeast: Math.round(leastRequestsPerHour * period.toHours({ integral: false })),
          period,
        }),
        threshold: Number((rate * budget).toPrecision(6)),
        evaluationPeriods: 1,
        ...firesAbove,
      });
      return AlarmRule.fromAlarm(alarm, AlarmState.ALARM);
    });
    const text = `${meaning}: ${rate} times what the objective of ${100 - 100 * budget} % allows.`;
    const both = new CompositeAlarm(scope, 'Both', {
      compositeAlarmName: name,
      alarmDescription: describe(severity, text, alarmId),
      alarmRule: AlarmRule.allOf(...rules),
    });
    this.#connect(both, severity);
  }

  #named(alarmId: string): string {
    return `${Stack.of(this).stackName}-${alarmId}`;
  }

  /** Notifies people when an alarm fires and when it recovers. */
  #connect(alarm: AlarmBase, severity: Severity): void {
    const action = new SnsAction(this.#topics[severity]);
    alarm.addAlarmAction(action);
    alarm.addOkAction(action);
  }
}

/** What follows a hyphen in an alarm's name says where it happens; its section in the runbook is the same. */
const describe = (severity: Severity, text: string, alarmId: string) =>
  `${severity}: ${text} ${runbook}#${alarmId.toLowerCase().replace(/-.*/, '')}`;
