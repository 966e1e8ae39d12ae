import { ArnFormat, Stack } from 'aws-cdk-lib';
import type { AlarmBase } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription, UrlSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import type { StageSettings, Subscriber } from '../../settings/stages.ts';

/** A page wakes whoever is on call; a ticket waits for the morning. */
export type Severity = 'page' | 'ticket';

/** The two topics by which alarms reach people, and say when it is over. */
export class AlarmTopics extends Construct {
  readonly topics: Readonly<Record<Severity, Topic>>;

  constructor(scope: Construct, id: string, { page, ticket }: NonNullable<StageSettings['alarms']>) {
    super(scope, id);
    this.topics = { page: this.#topic('Page', page), ticket: this.#topic('Ticket', ticket) };
  }

  /** Has an alarm tell its topic when it rings and when it stops. */
  connect(alarm: AlarmBase, severity: Severity): void {
    const action = new SnsAction(this.topics[severity]);
    alarm.addAlarmAction(action);
    alarm.addOkAction(action);
  }

  #topic(id: string, subscribers: readonly Subscriber[]): Topic {
    const topic = new Topic(this, id, { enforceSSL: true });
    const stack = Stack.of(this);
    topic.addToResourcePolicy(
      new PolicyStatement({
        actions: ['sns:Publish'],
        principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
        resources: [topic.topicArn],
        // CloudWatch speaks for alarms of every account: only this one's may publish.
        conditions: {
          StringEquals: { 'aws:SourceAccount': stack.account },
          ArnLike: {
            'aws:SourceArn': stack.formatArn({
              service: 'cloudwatch',
              resource: 'alarm',
              resourceName: `${stack.stackName}-*`,
              arnFormat: ArnFormat.COLON_RESOURCE_NAME,
            }),
          },
        },
      }),
    );
    for (const subscriber of subscribers) {
      topic.addSubscription(
        'email' in subscriber ? new EmailSubscription(subscriber.email) : new UrlSubscription(subscriber.url),
      );
    }
    return topic;
  }
}
