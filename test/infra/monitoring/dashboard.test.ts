import * as v from 'valibot';
import { expect, it } from 'vitest';
import type { Operation } from '../../../shared/contract/operation.ts';
import { operations } from '../../../shared/service.ts';
import { productionTemplate, synthesize } from '../../support/infra/synthesize.ts';
import { readableTemplate } from '../../support/infra/template.ts';

const { propertiesOf } = readableTemplate(productionTemplate());
const { MonitoringDashboard } = propertiesOf('AWS::CloudWatch::Dashboard');
const Widget = v.looseObject({
  title: v.string(),
  alarms: v.optional(v.array(v.string())),
});
const Body = v.object({ widgets: v.array(v.object({ properties: Widget })) });
const { DashboardBody } = v.parse(v.looseObject({ DashboardBody: v.string() }), MonitoringDashboard);
const widgets = new Map(
  v.parse(Body, JSON.parse(DashboardBody)).widgets.map(({ properties }) => [properties.title, properties]),
);

it('lists who still calls each deprecated operation', () => {
  const deprecated = Object.values<Operation>(operations).filter(({ deprecation }) => deprecation);

  const titles = deprecated.map(({ operationId }) => `Who still calls ${operationId}`);
  expect([...widgets.keys()]).toEqual(expect.arrayContaining(titles));
});

// CloudWatch shows at most 100 in one widget.
it('shows the state of each alarm that notifies somebody', () => {
  const types = ['AWS::CloudWatch::Alarm', 'AWS::CloudWatch::CompositeAlarm'];
  const alarms = types.flatMap((type) => Object.entries(propertiesOf(type)));
  const Notifying = v.looseObject({ AlarmActions: v.array(v.unknown()) });
  const notifying = alarms.flatMap(([id, properties]) => (v.is(Notifying, properties) ? [id] : []));

  const shown = widgets.get('Alarms')?.alarms?.map((arn) => arn.split(':').at(-1));
  expect(shown?.toSorted()).toEqual(notifying.toSorted());
});

// An empty list of alarms is no valid widget.
it('a stage without alarms shows no states of alarms', () => {
  const text = JSON.stringify(synthesize('staging').template);

  expect(text).not.toMatch(/title\W+Alarms/);
  expect(text).toMatch(/title\W+Releases/);
});
