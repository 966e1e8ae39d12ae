import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { resourcesOf } from '../../support/infra/template.ts';
import { alarms, composites, template, topicPolicies } from '../../support/monitoring/stage-alarms.ts';

const all = Object.values({ ...alarms, ...composites });
/** Alarms that notify people link to the runbook; the others are their windows, or notify CodeDeploy. */
const forPeople = all.filter(({ AlarmDescription }) => AlarmDescription.includes('docs/runbook.md'));
const others = all.filter((alarm) => !forPeople.includes(alarm));
/** An alarm's section in the runbook is the part of its name before a hyphen. */
const sectionOf = ({ AlarmName }: (typeof forPeople)[number]) =>
  AlarmName.replace('PetStore-production-', '').replace(/-.*/, '');

describe('an alarm', () => {
  it.each(forPeople.map((alarm) => [alarm.AlarmName, alarm] as const))(
    '%s notifies its topic and links to its runbook section',
    (_name, alarm) => {
      const { AlarmDescription, AlarmActions, OKActions } = alarm;
      const topic = AlarmDescription.startsWith('page') ? 'MonitoringTopicsPage' : 'MonitoringTopicsTicket';

      expect({ AlarmActions, OKActions }).toEqual({ AlarmActions: [topic], OKActions: [topic] });
      expect(AlarmDescription).toMatch(
        new RegExp(`^(page|ticket): .* docs/runbook\\.md#${sectionOf(alarm).toLowerCase()}$`),
      );
    },
  );

  it('notifies nobody if it is a window or rolls back a release', () => {
    expect(others.flatMap(({ AlarmActions, OKActions }) => [...AlarmActions, ...OKActions])).toEqual([]);
  });
});

it('allows only alarms of this stack to publish to its topics', () => {
  const statement = expect.objectContaining({
    Action: 'sns:Publish',
    Effect: 'Allow',
    Principal: { Service: 'cloudwatch.amazonaws.com' },
    Condition: {
      StringEquals: { 'aws:SourceAccount': 'AccountId' },
      ArnLike: { 'aws:SourceArn': 'arn:Partition:cloudwatch:Region:AccountId:alarm:PetStore-production-*' },
    },
  });
  const policy = { PolicyDocument: { Statement: expect.arrayContaining([statement]) } };

  expect(topicPolicies).toMatchObject([policy, policy]);
});

it.each(['ReadThrottleEvents', 'WriteThrottleEvents'])('watches %s of every index', (metricName) => {
  const indexes = Object.values(resourcesOf(template))
    .filter(({ Type }) => Type === 'AWS::DynamoDB::GlobalTable')
    .flatMap(({ Properties }) => Properties['GlobalSecondaryIndexes'] ?? [])
    .map((index) => Object(index).IndexName);
  const watched = alarms['MonitoringAlarmsTablesThrottled']?.Metrics?.flatMap(({ MetricStat }) =>
    MetricStat?.Metric.MetricName === metricName
      ? MetricStat.Metric.Dimensions.filter(({ Name }) => Name === 'GlobalSecondaryIndexName')
      : [],
  );

  expect(indexes).not.toEqual([]);
  expect(
    watched?.map(({ Value }) => Value),
    'Add the index to infra/monitoring/indicators/table-metrics.ts.',
  ).toEqual(indexes);
});

describe('the runbook', () => {
  const [, alarmSections = ''] = readFileSync('docs/runbook.md', 'utf8').split(/^## Alarms$/m);
  const [text = ''] = alarmSections.split(/^## /m);
  const sections = text
    .split(/^### /m)
    .slice(1)
    .map((section): [string, string] => [section.split('\n')[0] ?? '', section]);

  it('has one section for every alarm', () => {
    expect(sections.map(([title]) => title).toSorted()).toEqual(
      [...new Set(forPeople.map(sectionOf))].toSorted(),
    );
  });

  it.each(sections)('explains what %s means, and what to look at, do and escalate', (_title, section) => {
    const labels = ['**Means.**', '**Look.**', '**Do.**', '**Escalate.**'];
    expect(section.match(/^\*\*\w+\.\*\*/gm)).toEqual(labels);
  });
});
