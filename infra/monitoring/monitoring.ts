import { Annotations } from 'aws-cdk-lib';
import { Construct } from 'constructs';
import type { StageSettings } from '../settings/stages.ts';
import { type AlarmTopics, alarmTopics } from './alarms/alarm-topics.ts';
import { addAlarms } from './alarms/alarms.ts';
import { addBudget } from './alarms/budget.ts';
import { causes } from './alarms/causes.ts';
import { requestCauses } from './alarms/request-causes.ts';
import { addDashboard } from './dashboard.ts';
import { Indicators } from './indicators/indicators.ts';
import type { Watched } from './indicators/watched.ts';
import { addQueries } from './queries.ts';

export class Monitoring extends Construct {
  readonly indicators: Indicators;
  readonly topics: AlarmTopics | undefined;

  constructor(scope: Construct, id: string, watched: Watched) {
    super(scope, id);

    this.indicators = new Indicators(this, 'Indicators', watched);
    addQueries(new Construct(this, 'Queries'), watched);
    addDashboard(new Construct(this, 'Dashboard'), watched, this.indicators);

    const { alarms } = watched.settings;
    if (!alarms) return;
    this.topics = alarmTopics(new Construct(this, 'Topics'), alarms);
    const all = { ...requestCauses(this.indicators), ...causes(watched, this.indicators) };
    addAlarms(new Construct(this, 'Alarms'), all, this.topics, alarms.runbook);
    if (alarms.monthlyBudget !== undefined) addBudget(this, alarms.monthlyBudget, this.topics.ticket);
    for (const [name, consequence] of Object.entries(gaps(watched.settings))) {
      Annotations.of(this).addWarningV2(
        `pet-store:${name}`,
        `${consequence} Set ${name} of ${watched.stage} in infra/settings/stages.ts.`,
      );
    }
  }
}

/** Returns what is missed without each setting that a stage with alarms lacks. */
const gaps = ({ alarms, expectsTrafficWithin }: StageSettings): Record<string, string> => ({
  ...(alarms?.page.length === 0 && { 'alarms.page': 'Nobody is paged when the stage is down.' }),
  ...(!expectsTrafficWithin && {
    expectsTrafficWithin: 'Nobody notices when requests no longer arrive, for example because DNS is broken.',
  }),
  ...(alarms?.runbook === undefined && {
    'alarms.runbook': 'Pages and tickets have no link to the runbook.',
  }),
});
