import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { afterAll, describe, expect, it } from 'vitest';
import { synthesize } from '../../../infra/local/template/synthesize.ts';
import { readableTemplate } from '../../support/infra/template.ts';
import {
  AlarmProperties,
  type DataPoints,
  type MetricData,
  rings,
} from '../../support/monitoring/alarm-state.ts';

const stack = synthesize('production');
afterAll(stack.dispose);
const { propertiesOf } = readableTemplate(stack.template);

/** Whom an alarm tells. */
const Told = v.object({
  AlarmName: v.optional(v.string(), ''),
  AlarmDescription: v.string(),
  AlarmActions: v.optional(v.array(v.string()), []),
  OKActions: v.optional(v.array(v.string()), []),
});
const alarms = v.parse(
  v.record(v.string(), v.object({ ...AlarmProperties.entries, ...Told.entries })),
  propertiesOf('AWS::CloudWatch::Alarm'),
);
const composites = v.parse(
  v.record(v.string(), v.object({ ...Told.entries, AlarmRule: v.string() })),
  propertiesOf('AWS::CloudWatch::CompositeAlarm'),
);
const nameOf = ({ AlarmName }: v.InferOutput<typeof Told>) => AlarmName.replace('PetStore-production-', '');

/** The names of the alarms that tell somebody, or CodeDeploy, on metric data. */
function ringing(data: MetricData): string[] {
  const ringingAlarms = Object.entries(alarms)
    .filter(([, alarm]) => rings(alarm, data))
    .map(([id]) => id);
  const both = Object.values(composites).filter(({ AlarmRule }) => {
    const halves = AlarmRule.match(/Monitoring\w+/g) ?? [];
    return halves.length === 2 && halves.every((half) => ringingAlarms.includes(half));
  });
  return [
    ...both.map(nameOf),
    ...ringingAlarms
      .filter((id) => !/(Long|Short)$/.test(id))
      .map((id) => id.replace(/^MonitoringAlarms/, '').replace(/^ReleasesAlarms/, 'rollback: ')),
  ].sort();
}

const minutes = (count: number, value: number): DataPoints => Array.from({ length: count }, () => value);

/** Six hours of so many requests a minute, of which so many are counted in some of the last minutes. */
const requests = (counted: MetricData, perMinute = 1000): MetricData => ({
  Requests: minutes(360, perMinute),
  Served: minutes(360, perMinute),
  ...counted,
});
const lately = (count: number, value: number): DataPoints => [
  ...minutes(360 - count, 0),
  ...minutes(count, value),
];

describe('what rings', () => {
  it.each<[title: string, data: MetricData, expected: string[]]>([
    ['silence', {}, []],
    [
      'ten requests in an hour, all of them errors',
      requests({ Served: lately(60, 1 / 6), Errors: lately(60, 1 / 6) }, 0),
      [],
    ],
    [
      'an hour of errors, one every two minutes',
      requests({ Errors: lately(60, 0.5) }, 0.5),
      ['AvailabilityBurnsFast'],
    ],
    [
      'a burst: every request of one minute fails',
      requests({ Errors: lately(1, 1000) }),
      ['AvailabilityBurnsFast', 'rollback: Errors'],
    ],
    [
      'that burst, ten minutes later',
      requests({ Errors: [...lately(11, 1000).slice(0, 350), ...minutes(10, 0)] }),
      [],
    ],
    [
      "a tenth of requests fail for two minutes, a canary's share",
      requests({ Errors: lately(2, 100), Faults: lately(2, 100) }),
      ['rollback: Errors', 'rollback: Faults'],
    ],
    [
      '0.8 % of requests fail for six hours',
      requests({ Errors: minutes(360, 8) }),
      ['AvailabilityBurnsSlowly'],
    ],
    ['0.1 % of requests fail, as the objective allows', requests({ Errors: minutes(360, 1) }), []],
    ['a fifth of responses are slow for an hour', requests({ Slow: lately(60, 200) }), ['LatencyBurnsFast']],
    ['7 % of responses are slow for six hours', requests({ Slow: minutes(360, 70) }), ['LatencyBurnsSlowly']],
    [
      'the authorizer fails for a tenth',
      requests({ AuthorizerFaults: lately(15, 100) }),
      ['AuthorizerFails'],
    ],
    ['a third of requests have a bad key', requests({ Unauthorized: lately(15, 333) }), ['KeysRefused']],
    ['15 of 20 requests in an hour have a bad key', requests({ Unauthorized: lately(60, 0.25) }, 1 / 3), []],
    [
      'errors, behind a flood of bad keys',
      {
        ...requests({ Errors: lately(10, 100), Unauthorized: lately(15, 9000) }),
        Requests: minutes(360, 10_000),
      },
      ['AvailabilityBurnsFast', 'KeysRefused'],
    ],
    ['a tenth of requests are throttled', requests({ Throttled: lately(15, 100) }), ['RequestsThrottled']],
    [
      'a function is throttled, and then no more',
      { Throttles: [...minutes(9, 3), undefined] },
      ['FunctionsThrottled'],
    ],
    [
      '850 of 1,000 concurrent executions are taken',
      { ClaimedAccountConcurrency: minutes(5, 850) },
      ['ConcurrencyNearLimit'],
    ],
    ['writes to the index are throttled', { WriteThrottleEvents: minutes(15, 4) }, ['TablesThrottled']],
    ['DynamoDB fails', { SystemErrors: minutes(15, 4) }, ['TablesFail']],
  ])('on %s', (_title, data, expected) => {
    expect(ringing(data)).toEqual(expected);
  });
});

/** The alarms that people are told of, which name the runbook; the others are halves, or tell CodeDeploy. */
const [forPeople, others] = [true, false].map((isForPeople) =>
  Object.values({ ...alarms, ...composites }).filter(
    ({ AlarmDescription }) => AlarmDescription.includes('docs/runbook.md') === isForPeople,
  ),
);

it('an alarm tells its topic when it rings, and when it stops', () => {
  for (const alarm of forPeople ?? []) {
    const topic = alarm.AlarmDescription.startsWith('page')
      ? 'MonitoringTopicsPage'
      : 'MonitoringTopicsTicket';
    expect(alarm).toMatchObject({ AlarmActions: [topic], OKActions: [topic] });
  }
  for (const alarm of others ?? []) expect(alarm).toMatchObject({ AlarmActions: [], OKActions: [] });
});

it('a topic takes the alarms of this stack alone', () => {
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

  expect(Object.values(propertiesOf('AWS::SNS::TopicPolicy'))).toMatchObject([policy, policy]);
});

it('the runbook says of every alarm what it means, how to look, what to do and when to escalate', () => {
  const [, alarmSections = ''] = readFileSync('docs/runbook.md', 'utf8').split(/^## Alarms$/m);
  const sections = alarmSections.split(/^### /m).slice(1);

  expect(sections.map((section) => section.split('\n')[0]).toSorted()).toEqual(
    forPeople?.map(nameOf).toSorted(),
  );
  for (const section of sections) {
    expect(section.match(/^\*\*\w+\.\*\*/gm)).toEqual([
      '**Means.**',
      '**Look.**',
      '**Do.**',
      '**Escalate.**',
    ]);
  }
  for (const alarm of forPeople ?? []) {
    const link = `docs/runbook\\.md#${nameOf(alarm).toLowerCase()}`;
    expect(alarm.AlarmDescription).toMatch(new RegExp(`^(page|ticket): .* ${link}$`));
  }
});
