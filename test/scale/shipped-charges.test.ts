import { expect, it } from 'vitest';
import { operations } from '../../shared/contract/operations.ts';
import { tables } from '../../shared/tables/table-definitions.ts';
import { everySetting, leastSettings, productionSettings } from '../support/infra/stage-settings.ts';
import { synthesize } from '../support/infra/synthesize.ts';
import { type Resource, resourcesOf } from '../support/infra/template.ts';
import { shippedCharges } from './shipped-charges.ts';

const settings = {
  staging: { ...leastSettings, fairUse: productionSettings.fairUse },
  production: { ...productionSettings, alarms: everySetting.alarms },
};

/** Returns the objects of a list in a resource. */
function listOf({ Properties }: Resource, name: string): readonly Readonly<Record<string, unknown>>[] {
  const list = Properties[name];
  return Array.isArray(list) ? list : [];
}

/** Each operation, table and index that you add has metrics and alarms, too. */
const isAsShipped =
  Object.keys(operations).join() === 'listPets,createPet,getPet' &&
  Object.values(tables).flatMap(({ indexes }) => Object.keys(indexes)).length === 1;

it.runIf(isAsShipped).each(['staging', 'production'] as const)('%s has what its price is for', (stage) => {
  const stack = synthesize(stage, { settings: settings[stage] });
  stack.dispose();
  const resources = Object.values(resourcesOf(stack.template));
  const ofType = (type: string) => resources.filter(({ Type }) => Type === type);

  const logMetrics = ofType('AWS::Logs::MetricFilter')
    .flatMap((filter) => listOf(filter, 'MetricTransformations'))
    // A metric with dimensions begins with the first log line that has them.
    .filter(({ Dimensions }) => Dimensions === undefined)
    .map(({ MetricName }) => MetricName);
  const alarmMetrics = ofType('AWS::CloudWatch::Alarm').flatMap((alarm) =>
    alarm.Properties['Metrics'] === undefined
      ? [alarm]
      : listOf(alarm, 'Metrics').filter(({ MetricStat }) => MetricStat !== undefined),
  );
  const webAcls = ofType('AWS::WAFv2::WebACL');
  expect({
    logMetrics: new Set(logMetrics).size,
    alarmMetrics: alarmMetrics.length,
    dashboards: ofType('AWS::CloudWatch::Dashboard').length,
    webAcls: webAcls.length,
    rules: webAcls.flatMap((webAcl) => listOf(webAcl, 'Rules')).length,
  }).toEqual(shippedCharges[stage]);
});
