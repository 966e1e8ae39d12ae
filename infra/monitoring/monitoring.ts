import { Annotations } from 'aws-cdk-lib';
import { Construct } from 'constructs';
import { addAlarms } from './alarms/alarms.ts';
import { causes } from './alarms/causes.ts';
import { type AlarmTopics, addBudget, alarmTopics } from './alarms/notifications.ts';
import { requestCauses } from './alarms/request-causes.ts';
import { addDashboard } from './dashboard.ts';
import { Indicators, type Watched } from './indicators/indicators.ts';
import { addQueries } from './queries.ts';

export class Monitoring extends Construct {
  readonly indicators: Indicators;
  readonly topics: AlarmTopics | undefined;

  constructor(scope: Construct, id: string, watched: Watched) {
    super(scope, id);

    const indicators = new Indicators(this, 'Indicators', watched);
    this.indicators = indicators;
    addQueries(new Construct(this, 'Queries'), watched);
    addDashboard(new Construct(this, 'Dashboard'), watched, indicators);

    const { alarms, expectsTrafficWithin } = watched.settings;
    if (!alarms) return;
    const { page, runbook, monthlyBudget } = alarms;
    this.topics = alarmTopics(new Construct(this, 'Topics'), alarms);
    const all = { ...requestCauses(indicators), ...causes(watched, indicators) };
    addAlarms(new Construct(this, 'Alarms'), all, this.topics, runbook);
    if (monthlyBudget !== undefined) addBudget(this, monthlyBudget, this.topics.ticket);

    const warn = (setting: string, text: string) =>
      Annotations.of(this).addWarningV2(
        `pet-store:${setting}`,
        `${text} Set ${setting} of ${watched.stage} in infra/settings/stages.ts.`,
      );
    if (page.length === 0) warn('alarms.page', 'Nobody is paged when the stage is down.');
    if (!expectsTrafficWithin) warn('expectsTrafficWithin', 'Nobody notices that DNS is broken.');
    if (runbook === undefined) warn('alarms.runbook', 'Pages and tickets have no link to the runbook.');
  }
}
