import { Annotations } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { serviceName } from '../../shared/service.ts';
import { unsetSettings } from '../settings/alarm-settings.ts';
import { addAlarms } from './add-alarms.ts';
import { addDashboard } from './dashboard.ts';
import { Indicators, type Watched } from './indicators.ts';
import { addBudget, addTopic } from './notifications.ts';
import { addQueries } from './queries.ts';
import { requestAlarms } from './request-alarms.ts';
import { resourceAlarms } from './resource-alarms.ts';

/** Adds what people look at, and what notifies them. Returns what a release needs, too. */
export function addMonitoring(scope: Construct, watched: Watched) {
  const indicators = new Indicators(scope, 'Indicators', watched);
  addQueries(new Construct(scope, 'Queries'), watched);
  const { stage, settings } = watched;
  const { alarms: alarmSettings, expectsTrafficWithin } = settings;
  if (!alarmSettings) {
    addDashboard(new Construct(scope, 'Dashboard'), watched, indicators);
    return { indicators };
  }
  const { page, ticket, monthlyBudget } = alarmSettings;
  const topicScope = new Construct(scope, 'Topics');
  const topics = { page: addTopic(topicScope, 'Page', page), ticket: addTopic(topicScope, 'Ticket', ticket) };
  const alarms = addAlarms(
    new Construct(scope, 'Alarms'),
    watched,
    [...requestAlarms(watched, indicators), ...resourceAlarms(watched, indicators, topics)],
    topics,
  );
  addDashboard(new Construct(scope, 'Dashboard'), watched, indicators, alarms);
  if (monthlyBudget !== undefined) addBudget(scope, monthlyBudget, topics.ticket);

  const warn = (setting: string, text: string) =>
    Annotations.of(scope).addWarningV2(
      `${serviceName}:${setting}`,
      `${text} Set ${setting} of ${stage} in infra/settings/stages.ts.`,
    );
  for (const [name, text] of Object.entries(unsetSettings(alarmSettings))) warn(`alarms.${name}`, text);
  if (!expectsTrafficWithin) {
    warn(
      'expectsTrafficWithin',
      'Nobody notices that no request is served: DNS is broken, keys are lost, or all requests are refused.',
    );
  }
  return { indicators, topics };
}
