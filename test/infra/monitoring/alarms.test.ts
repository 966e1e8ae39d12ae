import * as v from 'valibot';
import { expect, it } from 'vitest';
import { everySetting } from '../../support/infra/stage-settings.ts';
import { productionTemplate } from '../../support/infra/synthesize.ts';
import { readableTemplate } from '../../support/infra/template.ts';
import { AlarmProperties } from '../../support/monitoring/alarm-state.ts';

const template = productionTemplate(everySetting);
const { propertiesOf } = readableTemplate(template);
const Topics = v.optional(v.array(v.string()), []);
const Alarm = v.object({ AlarmDescription: v.string(), AlarmActions: Topics });
const alarmsOf = (type: string) => v.parse(v.record(v.string(), Alarm), propertiesOf(type));
const alarms = { ...alarmsOf('AWS::CloudWatch::Alarm'), ...alarmsOf('AWS::CloudWatch::CompositeAlarm') };

it.each(Object.entries(alarms).filter(([id]) => id.startsWith('Monitoring')))(
  '%s says in 60 words what it means, with its section of the runbook',
  (_id, { AlarmDescription }) => {
    expect(AlarmDescription).toMatch(/^(page|ticket): .*[.?] https:\/\/pets\.example\/runbook#[a-z-]+$/);
    expect(AlarmDescription.split(' ').length).toBeLessThanOrEqual(60);
  },
);

it('the page leaves 35 of 60 words to the command', () => {
  expect(alarms['MonitoringAlarmsPage']?.AlarmDescription.split(' ').length).toBeLessThanOrEqual(25);
});

it.each(Object.entries(alarms).filter(([, { AlarmActions }]) => AlarmActions.length > 0))(
  '%s says whether clients notice, and notifies the topic of its severity',
  (_id, { AlarmDescription, AlarmActions }) => {
    const topic = AlarmDescription.startsWith('page') ? 'MonitoringTopicsPage' : 'MonitoringTopicsTicket';

    expect(AlarmActions).toEqual([topic]);
    expect(AlarmDescription).toMatch(/notice|no client can connect/);
  },
);

it('has the thresholds of the objectives in its texts', () => {
  const texts = JSON.stringify(template);

  expect(texts).toContain('Too many requests got a 5xx, and some still do (more than 2.88% within 1 hour)');
  expect(texts).toContain('(more than 72% over 300 ms within 1 hour)');
});

it.each(Object.entries(propertiesOf('AWS::CloudWatch::Alarm')))(
  '%s has at most the ten metrics that CloudWatch allows',
  (_id, properties) => {
    const { Metrics } = v.parse(AlarmProperties, properties);

    expect(Metrics.filter(({ MetricStat }) => MetricStat)).not.toHaveProperty('10');
  },
);

it('lets only sources of this account publish to its topics', () => {
  const Statement = v.looseObject({ Effect: v.string() });
  const Policy = v.object({ PolicyDocument: v.object({ Statement: v.array(Statement) }) });
  const policies = v.parse(v.array(Policy), Object.values(propertiesOf('AWS::SNS::TopicPolicy')));

  const statements = policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement);
  const from = (service: string, source: string) => ({
    Action: 'sns:Publish',
    Principal: { Service: `${service}.amazonaws.com` },
    Condition: {
      StringEquals: { 'aws:SourceAccount': 'AccountId' },
      ArnLike: { 'aws:SourceArn': source },
    },
  });
  const alarm = from('cloudwatch', 'arn:Partition:cloudwatch:Region:AccountId:alarm:PetStore-production-*');
  const page = { ...alarm, Resource: 'MonitoringTopicsPage' };
  const budget = from('budgets', 'arn:Partition:budgets::AccountId:*');
  expect(statements.filter(({ Effect }) => Effect === 'Allow')).toMatchObject([page, alarm, budget]);
});

it('a budget notifies the ticket topic of actual and expected costs', () => {
  const exceeded = { ComparisonOperator: 'GREATER_THAN', Threshold: 100, ThresholdType: 'PERCENTAGE' };
  const Subscribers = [{ SubscriptionType: 'SNS', Address: 'MonitoringTopicsTicket' }];

  expect(Object.values(propertiesOf('AWS::Budgets::Budget'))).toMatchObject([
    {
      Budget: { BudgetName: 'PetStore-production', BudgetLimit: { Amount: 100, Unit: 'USD' } },
      NotificationsWithSubscribers: ['ACTUAL', 'FORECASTED'].map((NotificationType) => ({
        Notification: { NotificationType, ...exceeded },
        Subscribers,
      })),
    },
  ]);
});
