import { Stack } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import type { Indicators } from '../indicators/indicators.ts';
import { objectives } from '../indicators/objectives.ts';
import type { Watched } from '../indicators/watched.ts';
import type { AlarmTopics, Severity } from './alarm-topics.ts';
import { BurnRateAlarm, burnRates } from './burn-rate-alarm.ts';
import { type Cause, causes } from './causes.ts';

/** Where the runbook is read: set it to your own copy's address, so that a pager's link can be followed. */
const runbook = 'docs/runbook.md';

/** The alarms of a stage. Each is named for its section in the runbook. */
export class Alarms extends Construct {
  constructor(scope: Construct, id: string, watched: Watched, indicators: Indicators, topics: AlarmTopics) {
    super(scope, id);
    const { stackName } = Stack.of(this);
    const named = (alarm: string) => `${stackName}-${alarm}`;

    for (const [objectiveName, objective] of Object.entries(objectives)) {
      for (const [rateName, burnRate] of Object.entries(burnRates)) {
        const alarmId = `${objectiveName}Burns${rateName}`;
        const { severity, rate } = burnRate;
        const text = `${objective.meaning}: ${rate} times what the objective of ${100 - 100 * objective.budget} % allows.`;
        const { alarm } = new BurnRateAlarm(this, alarmId, {
          objective,
          burnRate,
          indicators,
          name: named(alarmId),
          description: describe(severity, text, alarmId),
        });
        topics.connect(alarm, severity);
      }
    }

    for (const [alarmId, cause] of Object.entries<Cause>(causes(watched, indicators))) {
      const alarm = new Alarm(this, alarmId, {
        alarmName: named(alarmId),
        alarmDescription: describe('ticket', cause.meaning, alarmId),
        metric: cause.metric,
        threshold: cause.threshold,
        comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
        datapointsToAlarm: cause.datapoints[0],
        evaluationPeriods: cause.datapoints[1],
        treatMissingData: TreatMissingData.NOT_BREACHING,
      });
      topics.connect(alarm, 'ticket');
    }
  }
}

const describe = (severity: Severity, text: string, alarmId: string) =>
  `${severity}: ${text} ${runbook}#${alarmId.toLowerCase()}`;
