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

const CompositeProperties = v.object({
  AlarmName: v.string(),
  AlarmDescription: v.string(),
  AlarmRule: v.string(),
  AlarmActions: v.array(v.string()),
  OKActions: v.array(v.string()),
});
const alarms = v.parse(v.record(v.string(), AlarmProperties), propertiesOf('AWS::CloudWatch::Alarm'));
const composites = Object.values(
  v.parse(v.record(v.string(), CompositeProperties), propertiesOf('AWS::CloudWatch::CompositeAlarm')),
);

const Told = v.object({
  AlarmActions: v.optional(v.array(v.string()), []),
  OKActions: v.optional(v.array(v.string()), []),
  AlarmDescription: v.string(),
});

/** The names of the alarms that tell somebody, or CodeDeploy, on metric data. */
function ringing(data: MetricData): string[] {
  const ringingAlarms = Object.entries(alarms)
    .filter(([, alarm]) => rings(alarm, data))
    .map(([id]) => id);
  const both = composites.filter(({ AlarmRule }) => {
    const halves = AlarmRule.match(/Monitoring\w+/g) ?? [];
    return halves.length === 2 && halves.every((half) => ringingAlarms.includes(half));
  });
  return [
    ...both.map(({ AlarmName }) => AlarmName.replace('PetStore-production-', '')),
    ...ringingAlarms
      .filter((id) => !/(Long|Short)$/.test(id))
      .map((id) => id.replace(/^MonitoringAlarms/, '').replace(/^ReleasesAlarms/, 'rollback: ')),
  ].sort();
}

const minutes = (count: number, value: number): DataPoints => Array.from({ length: count }, () => value);

/** Six hours of so many requests a minute, of which so many are counted in some of the last minutes. */
const requests = (perMinute: number, counted: MetricData = {}): MetricData => ({
  Requests: minutes(360, perMinute),
  Served: minutes(360, perMinute),
  Errors: minutes(360, 0),
  Slow: minutes(360, 0),
  Unauthorized: minutes(360, 0),
  Throttled: minutes(360, 0),
  AuthorizerFaults: minutes(360, 0),
  Faults: minutes(360, 0),
  ...counted,
});
const lately = (count: number, value: number): DataPoints => [
  ...minutes(360 - count, 0),
  ...minutes(count, value),
];

describe('what rings', () => {
  it.each<[title: string, data: MetricData, expected: string[]]>([
    ['silence', {}, []],
    ['good requests alone', requests(1000), []],
    [
      'one error among ten requests a day',
      { Served: lately(1, 10), Requests: lately(1, 10), Errors: lately(1, 1) },
      [],
    ],
    [
      'ten requests within an hour, all of them errors',
      requests(0, { Served: lately(60, 1 / 6), Errors: lately(60, 1 / 6) }),
      [],
    ],
    [
      'a small service that is down for an hour: one request every two minutes',
      requests(0.5, { Errors: lately(60, 0.5) }),
      ['AvailabilityBurnsFast'],
    ],
    [
      'a burst: every request of one minute fails, of 1,000 each minute',
      requests(1000, { Errors: lately(1, 1000) }),
      ['AvailabilityBurnsFast', 'rollback: Errors'],
    ],
    [
      'that burst, ten minutes later',
      requests(1000, { Errors: [...lately(11, 1000).slice(0, 350), ...minutes(10, 0)] }),
      [],
    ],
    [
      "a tenth of requests fail for two minutes, a canary's share",
      requests(1000, { Errors: lately(2, 100), Faults: lately(2, 100) }),
      ['rollback: Errors', 'rollback: Faults'],
    ],
    [
      'a tenth of requests fail for ten minutes',
      requests(1000, { Errors: lately(10, 100) }),
      ['AvailabilityBurnsFast', 'rollback: Errors'],
    ],
    [
      'a slow burn: 0.8 % of requests fail for six hours',
      requests(1000, { Errors: minutes(360, 8) }),
      ['AvailabilityBurnsSlowly'],
    ],
    [
      '0.1 % of requests fail for six hours, as the objective allows',
      requests(1000, { Errors: minutes(360, 1) }),
      [],
    ],
    [
      'a fifth of responses are slow for an hour',
      requests(1000, { Slow: lately(60, 200) }),
      ['LatencyBurnsFast'],
    ],
    [
      '7 % of responses are slow for six hours',
      requests(1000, { Slow: minutes(360, 70) }),
      ['LatencyBurnsSlowly'],
    ],
    [
      'the authorizer fails for a tenth of requests',
      requests(1000, { AuthorizerFaults: lately(15, 100) }),
      ['AuthorizerFails'],
    ],
    [
      'a third of requests have a bad key',
      requests(1000, { Unauthorized: lately(15, 333) }),
      ['KeysRefused'],
    ],
    [
      'three requests of four have a bad key, of 20 within an hour',
      requests(1 / 3, { Unauthorized: lately(60, 0.25) }),
      [],
    ],
    [
      'errors, behind a flood of bad keys',
      {
        ...requests(1000, { Errors: lately(10, 100), Unauthorized: lately(15, 9000) }),
        Requests: minutes(360, 10_000),
      },
      ['AvailabilityBurnsFast', 'KeysRefused'],
    ],
    [
      'a tenth of requests are throttled',
      requests(1000, { Throttled: lately(15, 100) }),
      ['RequestsThrottled'],
    ],
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

describe('the runbook', () => {
  const text = readFileSync('docs/runbook.md', 'utf8');
  const [, alarmSections = ''] = text.split(/^## Alarms$/m);
  const sections = new Map(
    alarmSections
      .split(/^### /m)
      .slice(1)
      .map((section) => [section.split('\n')[0] ?? '', section]),
  );
  const described = [
    ...composites,
    ...Object.values(
      v.parse(v.record(v.string(), v.looseObject({})), propertiesOf('AWS::CloudWatch::Alarm')),
    ),
  ]
    .map((alarm) =>
      v.parse(v.looseObject({ AlarmName: v.optional(v.string(), ''), AlarmDescription: v.string() }), alarm),
    )
    .filter(({ AlarmDescription }) => AlarmDescription.includes('docs/runbook.md'))
    .map(
      ({ AlarmName, AlarmDescription }) =>
        [AlarmName.replace('PetStore-production-', ''), AlarmDescription] as const,
    );

  it.each(described)(
    'says of %s what it means, how to look, what to do and when to escalate',
    (name, description) => {
      const section = sections.get(name);

      expect(description).toMatch(new RegExp(`^(page|ticket): .* docs/runbook\\.md#${name.toLowerCase()}$`));
      expect(section?.match(/^\*\*(Means|Look|Do|Escalate)\.\*\*/gm)).toEqual([
        '**Means.**',
        '**Look.**',
        '**Do.**',
        '**Escalate.**',
      ]);
    },
  );

  it('has no section for an alarm that there is not', () => {
    expect([...sections.keys()].toSorted()).toEqual(described.map(([name]) => name).toSorted());
  });
});

describe('an alarm', () => {
  it('tells its topic when it rings, and when it stops', () => {
    const told = {
      ...propertiesOf('AWS::CloudWatch::Alarm'),
      ...propertiesOf('AWS::CloudWatch::CompositeAlarm'),
    };

    for (const [id, alarm] of Object.entries(told)) {
      const { AlarmActions, OKActions, AlarmDescription } = v.parse(Told, alarm);
      const isForPeople = AlarmDescription.includes('docs/runbook.md');
      const topic = AlarmDescription.startsWith('page') ? 'MonitoringTopicsPage' : 'MonitoringTopicsTicket';
      expect({ id, AlarmActions, OKActions }).toEqual({
        id,
        AlarmActions: isForPeople ? [topic] : [],
        OKActions: isForPeople ? [topic] : [],
      });
    }
  });

  it('is told by topics that take the alarms of this stack alone', () => {
    for (const policy of Object.values(propertiesOf('AWS::SNS::TopicPolicy'))) {
      expect(policy).toMatchObject({
        PolicyDocument: {
          Statement: expect.arrayContaining([
            expect.objectContaining({
              Action: 'sns:Publish',
              Effect: 'Allow',
              Principal: { Service: 'cloudwatch.amazonaws.com' },
              Condition: {
                StringEquals: { 'aws:SourceAccount': 'AccountId' },
                ArnLike: {
                  'aws:SourceArn': 'arn:Partition:cloudwatch:Region:AccountId:alarm:PetStore-production-*',
                },
              },
            }),
          ]),
        },
      });
    }
  });
});
