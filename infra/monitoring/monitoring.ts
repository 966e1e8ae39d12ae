import { Annotations } from 'aws-cdk-lib';
import { Construct } from 'constructs';
import { serviceName } from '../../shared/service.ts';
import { addAlarms } from './add-alarms.ts';
import { addDashboard } from './dashboard.ts';
import { Indicators, type Watched } from './indicators.ts';
import { addBudget, alarmTopics } from './notifications.ts';
import { addQueries } from './queries.ts';
import { requestAlarms } from './request-alarms.ts';
import { resourceAlarms } from './resource-alarms.ts';

/** Adds what people look at, and what notifies them. Returns what a release needs, too. */
export function addMonitoring(scope: Construct, watched: Watched) {
  const indicators = new Indicators(scope, 'Indicators', watched);
  addQueries(new Construct(scope, 'Queries'), watched);
  const { stage, settings } = watched;
  const { alarms, expectsTrafficWithin } = settings;
  if (!alarms) {
    addDashboard(new Construct(scope, 'Dashboard'), watched, indicators);
    return { indicators };
  }
  const topics = alarmTopics(new Construct(scope, 'Topics'), alarms);
  const ofRequests = requestAlarms(watched, indicators);
  const ofResources = resourceAlarms(watched, indicators, topics);
  const added = addAlarms(
    new Construct(scope, 'Alarms'),
    {
      pages: [...ofRequests.pages, ...ofResources.pages],
      tickets: [...ofRequests.tickets, ...ofResources.tickets],
      direct: ofResources.direct,
    },
    { stage, topics, settings: alarms },
  );
  addDashboard(new Construct(scope, 'Dashboard'), watched, indicators, added);
  if (alarms.monthlyBudget !== undefined) addBudget(scope, alarms.monthlyBudget, topics.ticket);

  const warn = (setting: string, text: string) =>
    Annotations.of(scope).addWarningV2(
      `${serviceName}:${setting}`,
      `${text} Set ${setting} of ${stage} in infra/settings/stages.ts.`,
    );
  if (alarms.page.length === 0) warn('alarms.page', 'Nobody is paged when the stage is down.');
  if (alarms.ticket.length === 0) warn('alarms.ticket', 'Nobody gets tickets.');
  if (alarms.monthlyBudget === undefined)
    warn('alarms.monthlyBudget', 'Nobody notices what the stage costs.');
  if (alarms.runbook === undefined) warn('alarms.runbook', 'Pages and tickets have no link to the runbook.');
  if (!expectsTrafficWithin) {
    warn(
      'expectsTrafficWithin',
      'Nobody notices that no request is served: DNS is broken, keys are lost, or all requests are refused.',
    );
  }
  return { indicators, topics };
}
