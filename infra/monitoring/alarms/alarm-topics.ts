import { type ArnComponents, ArnFormat, Stack } from 'aws-cdk-lib';
import { ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription, UrlSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Construct } from 'constructs';
import type { AlarmSettings, Subscriber } from '../../settings/stages.ts';

/** The two topics that notify people of alarms and recoveries. */
export type AlarmTopics = ReturnType<typeof alarmTopics>;

/** A page wakes the engineer on call; a ticket waits for the morning. */
export type Severity = keyof AlarmTopics;

export function alarmTopics(scope: Construct, { page, ticket }: AlarmSettings) {
  const stack = Stack.of(scope);
  const topicFor = (id: string, subscribers: readonly Subscriber[]) => {
    const topic = new Topic(scope, id, { enforceSSL: true });
    allow(topic, 'cloudwatch', { resource: 'alarm', resourceName: `${stack.stackName}-*` });
    for (const subscriber of subscribers) {
      topic.addSubscription(
        'email' in subscriber ? new EmailSubscription(subscriber.email) : new UrlSubscription(subscriber.url),
      );
    }
    return topic;
  };
  const topics = { page: topicFor('Page', page), ticket: topicFor('Ticket', ticket) };
  // https://docs.aws.amazon.com/cost-management/latest/userguide/budgets-sns-policy.html
  allow(topics.ticket, 'budgets', { region: '', resource: '*', arnFormat: ArnFormat.NO_RESOURCE_NAME });
  return topics;
}

/** Lets a service publish for this account's source: its principal alone would cover every account. */
function allow(topic: Topic, service: string, source: Omit<ArnComponents, 'service'>): void {
  const { account } = topic.stack;
  const sourceArn = topic.stack.formatArn({ service, arnFormat: ArnFormat.COLON_RESOURCE_NAME, ...source });
  const conditions = {
    StringEquals: { 'aws:SourceAccount': account },
    ArnLike: { 'aws:SourceArn': sourceArn },
  };
  topic.grantPublish(new ServicePrincipal(`${service}.amazonaws.com`, { conditions }));
}
