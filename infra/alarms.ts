import { Duration } from 'aws-cdk-lib';
import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import { Alarm, ComparisonOperator, type Metric, Stats, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';

const period = Duration.minutes(5);

/** Tells the operators, through a topic that they subscribe to, when clients get errors or wait. */
export class Alarms extends Construct {
  readonly topic: Topic;

  constructor(scope: Construct, id: string, api: RestApi) {
    super(scope, id);

    this.topic = new Topic(this, 'Topic', { enforceSSL: true });
    this.topic.grantPublish(new ServicePrincipal('cloudwatch.amazonaws.com'));
    const alarmAbove = (name: string, metric: Metric, threshold: number) =>
      new Alarm(this, name, {
        metric,
        threshold,
        comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
        evaluationPeriods: 3,
        datapointsToAlarm: 2,
        treatMissingData: TreatMissingData.NOT_BREACHING,
      }).addAlarmAction(new SnsAction(this.topic));

    alarmAbove('ServerErrors', api.metricServerError({ period, statistic: Stats.AVERAGE }), 0.01);
    alarmAbove('Latency', api.metricLatency({ period, statistic: Stats.p(99) }), 1000);
  }
}
