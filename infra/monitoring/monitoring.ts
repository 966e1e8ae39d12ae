import type { Topic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import { AlarmTopics, type Severity } from './alarms/alarm-topics.ts';
import { Alarms } from './alarms/alarms.ts';
import { StageDashboard } from './dashboard.ts';
import { Indicators } from './indicators/indicators.ts';
import type { Watched } from './indicators/watched.ts';
import { Queries } from './queries.ts';

/** What an operator sees of a stage, and is told of. */
export class Monitoring extends Construct {
  readonly indicators: Indicators;
  /** Undefined where nobody is to be told. */
  readonly topics: Readonly<Record<Severity, Topic>> | undefined;

  constructor(scope: Construct, id: string, watched: Watched) {
    super(scope, id);

    this.indicators = new Indicators(this, 'Indicators', watched);
    new Queries(this, 'Queries', watched);
    new StageDashboard(this, 'Dashboard', watched, this.indicators);

    const { alarms } = watched.settings;
    if (alarms) {
      const topics = new AlarmTopics(this, 'Topics', alarms);
      new Alarms(this, 'Alarms', watched, this.indicators, topics);
      this.topics = topics.topics;
    }
  }
}
