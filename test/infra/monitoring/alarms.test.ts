import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
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
const forReleases = Object.entries(alarms).filter(([id]) => id.startsWith('ReleasesAlarms'));
/** The part of an alarm's name before a hyphen is its section in the runbook. */
const sectionOf = (id: string) =>
  (alarms[id]?.AlarmName ?? '').replace('PetStore-production-', '').replace(/-.*/, '');

it.each(forPeople)('%s notifies its topic with a link to its runbook section', (id, alarm) => {
  const { AlarmDescription, AlarmActions, OKActions } = alarm;
  const topic = AlarmDescription.startsWith('page') ? 'MonitoringTopicsPage' : 'MonitoringTopicsTicket';

  expect({ AlarmActions, OKActions }).toEqual({ AlarmActions: [topic], OKActions: [topic] });
  expect(AlarmDescription).toMatch(/^(page|ticket): .* https:\/\/pets\.example\/runbook#[a-z]+$/);
  expect(AlarmDescription.split('#')[1]).toBe(sectionOf(id).toLowerCase());
});

describe('the alarms of a release', () => {
  it('notify nobody', () => {
    expect(forReleases.flatMap(([, { AlarmActions, OKActions }]) => [...AlarmActions, ...OKActions])).toEqual(
      [],
    );
  });

  it('are at most ten, with at most ten metrics each, in every deployment group', () => {
    const Group = v.object({
      AlarmConfiguration: v.object({ Alarms: v.array(v.object({ Name: v.string() })) }),
    });
    const groups = Object.values(propertiesOf('AWS::CodeDeploy::DeploymentGroup'));
    const all = forReleases.map(([id]) => id).toSorted();

    expect(all.length).toBeLessThanOrEqual(10);
    for (const group of groups) {
      const { Alarms } = v.parse(Group, group).AlarmConfiguration;
      expect(Alarms.map(({ Name }) => Name).toSorted()).toEqual(all);
    }
  });
});

it.each(Object.entries(alarms))(
  '%s has at most the ten metrics that CloudWatch allows',
  (_id, { Metrics = [] }) => {
    expect(Metrics.filter(({ MetricStat }) => MetricStat)).not.toHaveProperty('10');
  },
);

it('lets only sources of this account publish to its topics', () => {
  const allowed = (service: string, source: string) => ({
    Action: 'sns:Publish',
    Effect: 'Allow',
    Principal: { Service: `${service}.amazonaws.com` },
    Condition: { StringEquals: { 'aws:SourceAccount': 'AccountId' }, ArnLike: { 'aws:SourceArn': source } },
  });
  const alarm = allowed(
    'cloudwatch',
    'arn:Partition:cloudwatch:Region:AccountId:alarm:PetStore-production-*',
  );
  const budget = allowed('budgets', 'arn:Partition:budgets::AccountId:*');
  const policies = v.parse(
    v.array(
      v.object({ PolicyDocument: v.object({ Statement: v.array(v.looseObject({ Effect: v.string() })) }) }),
    ),
    Object.values(propertiesOf('AWS::SNS::TopicPolicy')),
  );

  const statements = policies.map(({ PolicyDocument: { Statement } }) =>
    Statement.filter(({ Effect }) => Effect === 'Allow'),
  );
  expect(statements).toMatchObject([[alarm], [alarm, budget]]);
});

it('a budget notifies the ticket topic of actual costs', () => {
  const notification = { NotificationType: 'ACTUAL', Threshold: 100, ThresholdType: 'PERCENTAGE' };
  const Subscribers = [{ SubscriptionType: 'SNS', Address: 'MonitoringTopicsTicket' }];

  expect(Object.values(propertiesOf('AWS::Budgets::Budget'))).toMatchObject([
    {
      Budget: { BudgetType: 'COST', TimeUnit: 'MONTHLY', BudgetLimit: { Amount: 100, Unit: 'USD' } },
      NotificationsWithSubscribers: expect.arrayContaining([
        { Notification: expect.objectContaining(notification), Subscribers },
      ]),
    },
  ]);
});

it('watches throttles of every table and index', () => {
  const Table = v.object({
    GlobalSecondaryIndexes: v.optional(v.array(v.object({ IndexName: v.string() })), []),
  });
  const tables = v.parse(v.record(v.string(), Table), propertiesOf('AWS::DynamoDB::GlobalTable'));
  const parts = Object.entries(tables).flatMap(([table, { GlobalSecondaryIndexes }]) => [
    table,
    ...GlobalSecondaryIndexes.map(({ IndexName }) => `${IndexName} ${table}`),
  ]);

  const watched = Object.entries(alarms)
    .filter(([id]) => id.startsWith('MonitoringAlarmsTablesThrottled'))
    .flatMap(([, { Metrics }]) => Metrics.flatMap(({ MetricStat }) => MetricStat?.Metric ?? []))
    .map(({ MetricName, Dimensions }) => [...Dimensions.map(({ Value }) => Value), MetricName].join(' '));
  const expected = parts.flatMap((part) => [`${part} ReadThrottleEvents`, `${part} WriteThrottleEvents`]);
  expect(watched.toSorted()).toEqual(expected.toSorted());
});

it('compares the lines of the access log with the requests', () => {
  const metrics = alarms['MonitoringAlarmsAccessLogEmpty']?.Metrics.flatMap(
    ({ MetricStat }) => MetricStat?.Metric ?? [],
  );

  expect(metrics).toMatchObject([
    { MetricName: 'Count', Dimensions: [{ Name: 'ApiName' }] },
    { MetricName: 'IncomingLogEvents', Dimensions: [{ Name: 'LogGroupName', Value: 'PetStoreAccessLogs' }] },
  ]);
});

it('opens a ticket when a release fails', () => {
  expect(Object.values(propertiesOf('AWS::Events::Rule'))).toMatchObject([
    {
      EventPattern: {
        source: ['aws.codedeploy', 'aws.cloudformation'],
        'detail-type': [
          'CodeDeploy Deployment State-change Notification',
          'CloudFormation Stack Status Change',
        ],
        detail: {
          $or: [
            { application: ['ReleasesApplication'], state: ['FAILURE', 'STOP'] },
            {
              'stack-id': ['StackId'],
              'status-details': { status: [{ suffix: 'FAILED' }, { suffix: 'ROLLBACK_COMPLETE' }] },
            },
          ],
        },
      },
      Targets: [{ Arn: 'MonitoringTopicsTicket' }],
    },
  ]);
});
