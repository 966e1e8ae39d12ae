import { ArnFormat, Stack } from 'aws-cdk-lib';
import { ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription, UrlSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import type { StageSettings, Subscriber } from '../../settings/stages.ts';

/** A page wakes the engineer on call; a ticket waits for the morning. */
export type Severity = 'page' | 'ticket';

/** The two topics that notify people of alarms and recoveries. */
export class AlarmTopics extends Construct {
  readonly page: Topic;
  readonly ticket: Topic;

  constructor(scope: Construct, id: string, { page, ticket }: NonNullable<StageSettings['alarms']>) {
    super(scope, id);
    this.page = this.#topic('Page', page);
    this.ticket = this.#topic('Ticket', ticket);
  }

  #topic(id: string, subscribers: readonly Subscriber[]): Topic {
    const topic = new Topic(this, id, { enforceSSL: true });
    const stack = Stack.of(this);
    // The service principal covers every account: only this stack's alarms may publish.
    const conditions = {
      StringEquals: { 'aws:SourceAccount': stack.account },
      ArnLike: {
        'aws:SourceArn': stack.formatArn({
          service: 'cloudwatch',
          resource: 'alarm',
          resourceName: `${stack.stackName}-*`,
          arnFormat: ArnFormat.COLON_RESOURCE_NAME,
        }),
      },
    };
    topic.grantPublish(new ServicePrincipal('cloudwatch.amazonaws.com', { conditions }));
    for (const subscriber of subscribers) {
      topic.addSubscription(
        'email' in subscriber ? new EmailSubscription(subscriber.email) : new UrlSubscription(subscriber.url),
      );
    }
    return topic;
  }
}
