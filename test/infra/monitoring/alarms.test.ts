import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { alarms, composites, topicPolicies } from '../../support/monitoring/stage-alarms.ts';

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

it.each(['ReadThrottleEvents', 'WriteThrottleEvents'])('watches %s of every table and index', (name) => {
  const metrics = alarms['MonitoringAlarmsTablesThrottled']?.Metrics?.map(
    ({ MetricStat }) => MetricStat?.Metric,
  );

  const dimensions = metrics
    ?.filter((metric) => metric?.MetricName === name)
    .map((metric) => metric?.Dimensions);
  const pets = { Name: 'TableName', Value: 'TablesPets' };
  expect(dimensions).toEqual([
    [pets],
    [{ Name: 'GlobalSecondaryIndexName', Value: 'byStatus' }, pets],
    [{ Name: 'TableName', Value: 'TablesApiKeys' }],
  ]);
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

  it.each(sections)('says what %s means, what to inspect and do, when to escalate', (_title, section) => {
    const labels = ['**Means.**', '**Look.**', '**Do.**', '**Escalate.**'];
    expect(section.match(/^\*\*\w+\.\*\*/gm)).toEqual(labels);
  });
});
