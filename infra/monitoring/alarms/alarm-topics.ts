import { ArnFormat, Stack } from 'aws-cdk-lib';
import { ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription, UrlSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Construct } from 'constructs';
import type { StageSettings, Subscriber } from '../../settings/stages.ts';

/** The two topics that notify people of alarms and recoveries. */
export type AlarmTopics = ReturnType<typeof alarmTopics>;

/** A page wakes the engineer on call; a ticket waits for the morning. */
export type Severity = keyof AlarmTopics;

export function alarmTopics(scope: Construct, { page, ticket }: NonNullable<StageSettings['alarms']>) {
  const stack = Stack.of(scope);
  const alarms = stack.formatArn({
    service: 'cloudwatch',
    resource: 'alarm',
    resourceName: `${stack.stackName}-*`,
    arnFormat: ArnFormat.COLON_RESOURCE_NAME,
  });
  // The service principal covers every account: only this stack's alarms may publish.
  const conditions = {
    StringEquals: { 'aws:SourceAccount': stack.account },
    ArnLike: { 'aws:SourceArn': alarms },
  };
  const topicFor = (id: string, subscribers: readonly Subscriber[]) => {
    const topic = new Topic(scope, id, { enforceSSL: true });
    topic.grantPublish(new ServicePrincipal('cloudwatch.amazonaws.com', { conditions }));
    for (const subscriber of subscribers) {
      topic.addSubscription(
        'email' in subscriber ? new EmailSubscription(subscriber.email) : new UrlSubscription(subscriber.url),
      );
    }
    return topic;
  };
  return { page: topicFor('Page', page), ticket: topicFor('Ticket', ticket) };
}
