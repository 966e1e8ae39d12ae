import { Annotations } from 'aws-cdk-lib';
import { Construct } from 'constructs';
import { type AlarmTopics, alarmTopics } from './alarms/alarm-topics.ts';
import { addAlarms } from './alarms/alarms.ts';
import { causes, optionalCauses } from './alarms/causes.ts';
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

    const indicators = new Indicators(this, 'Indicators', watched);
    this.indicators = indicators;
    const stageCauses = causes(watched, indicators);
    addQueries(new Construct(this, 'Queries'), watched);
    addDashboard(new Construct(this, 'Dashboard'), watched, indicators, stageCauses);

    const { alarms } = watched.settings;
    if (!alarms) return;
    this.topics = alarmTopics(new Construct(this, 'Topics'), alarms);
    const all = { ...requestCauses(indicators), ...stageCauses, ...optionalCauses(watched) };
    addAlarms(new Construct(this, 'Alarms'), indicators, all, this.topics);
    if (alarms.page.length === 0) {
      Annotations.of(this).addWarningV2(
        'pet-store:nobody-is-paged',
        `Nobody is paged when ${watched.stage} is down: set alarms.page in infra/settings/stages.ts.`,
      );
    }
  }
}
