import { Annotations } from 'aws-cdk-lib';
import { Construct } from 'constructs';
import { addAlarms } from './alarms/alarms.ts';
import { causes } from './alarms/causes.ts';
import { addBudget, alarmTopics } from './alarms/notifications.ts';
import { addDashboard } from './dashboard.ts';
import { Indicators, type Watched } from './indicators.ts';
import { addQueries } from './queries.ts';

/** Adds what people look at, and what notifies them. Returns what a release needs, too. */
export function addMonitoring(scope: Construct, watched: Watched) {
  const indicators = new Indicators(scope, 'Indicators', watched);
  addQueries(new Construct(scope, 'Queries'), watched);
  addDashboard(new Construct(scope, 'Dashboard'), watched, indicators);

  const { alarms, expectsTrafficWithin } = watched.settings;
  if (!alarms) return { indicators };
  const { page, runbook, monthlyBudget } = alarms;
  const topics = alarmTopics(new Construct(scope, 'Topics'), alarms);
  addAlarms(new Construct(scope, 'Alarms'), causes(watched, indicators), topics, runbook);
  if (monthlyBudget !== undefined) addBudget(scope, monthlyBudget, topics.ticket);

  const warn = (setting: string, text: string) =>
    Annotations.of(scope).addWarningV2(
      `pet-store:${setting}`,
      `${text} Set ${setting} of ${watched.stage} in infra/settings/stages.ts.`,
    );
  if (page.length === 0) warn('alarms.page', 'Nobody is paged when the stage is down.');
  if (!expectsTrafficWithin) warn('expectsTrafficWithin', 'Nobody notices that DNS is broken.');
  if (runbook === undefined) warn('alarms.runbook', 'Pages and tickets have no link to the runbook.');
  return { indicators, topics };
}
