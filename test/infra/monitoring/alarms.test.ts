import * as v from 'valibot';
import { expect, it } from 'vitest';
import { productionTemplate } from '../../support/infra/synthesize.ts';
import { readableTemplate } from '../../support/infra/template.ts';
import { AlarmProperties } from '../../support/monitoring/alarm-state.ts';

const { propertiesOf } = readableTemplate(
  productionTemplate({
    alarms: { page: [], ticket: [], runbook: 'https://pets.example/runbook', monthlyBudget: 100 },
  }),
);
const Topics = v.optional(v.array(v.string()), []);
const Alarm = v.object({ ...AlarmProperties.entries, AlarmActions: Topics, OKActions: Topics });
const alarms = v.parse(v.record(v.string(), Alarm), propertiesOf('AWS::CloudWatch::Alarm'));
const forPeople = Object.entries(alarms).filter(([id]) => id.startsWith('MonitoringAlarms'));

it.each(forPeople)('%s notifies its topic with a link to its runbook section', (_id, alarm) => {
  const { AlarmName, AlarmDescription, AlarmActions, OKActions } = alarm;
  const topic = AlarmDescription.startsWith('page') ? 'MonitoringTopicsPage' : 'MonitoringTopicsTicket';
  // Names that differ only after a hyphen share a section.
  const [, , name = ''] = AlarmName.split('-');

  expect({ AlarmActions, OKActions }).toEqual({ AlarmActions: [topic], OKActions: [topic] });
  expect(AlarmDescription).toMatch(
    new RegExp(`^(page|ticket): .* https://pets\\.example/runbook#${name}$`, 'i'),
  );
});

it('the alarms of a release notify nobody', () => {
  const others = Object.values(alarms).filter(({ AlarmDescription: text }) => !/^(page|ticket)/.test(text));

  expect(others.flatMap(({ AlarmActions, OKActions }) => [...AlarmActions, ...OKActions])).toEqual([]);
});

it.each(Object.entries(alarms))(
  '%s has at most the ten metrics that CloudWatch allows',
  (_id, { Metrics = [] }) => {
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
    Condition: { StringEquals: { 'aws:SourceAccount': 'AccountId' }, ArnLike: { 'aws:SourceArn': source } },
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
      Budget: { BudgetLimit: { Amount: 100, Unit: 'USD' } },
      NotificationsWithSubscribers: ['ACTUAL', 'FORECASTED'].map((NotificationType) => ({
        Notification: { NotificationType, ...exceeded },
        Subscribers,
      })),
    },
  ]);
});

it('opens a ticket when a release fails', () => {
  const source = ['aws.codedeploy', 'aws.cloudformation'];
  const type = ['CodeDeploy Deployment State-change Notification', 'CloudFormation Stack Status Change'];
  const status = [{ suffix: 'FAILED' }, { suffix: 'ROLLBACK_COMPLETE' }];
  const $or = [
    { application: ['ReleasesApplication'], state: ['FAILURE', 'STOP'] },
    { 'stack-id': ['StackId'], 'status-details': { status } },
  ];

  expect(Object.values(propertiesOf('AWS::Events::Rule'))).toMatchObject([
    {
      EventPattern: { source, 'detail-type': type, detail: { $or } },
      Targets: [{ Arn: 'MonitoringTopicsTicket' }],
    },
  ]);
});
