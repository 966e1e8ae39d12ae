import { Stack } from 'aws-cdk-lib';
import { CfnBudget } from 'aws-cdk-lib/aws-budgets';
import { ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Subscription, SubscriptionProtocol, Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Construct } from 'constructs';
import type { AlarmSettings, Subscriber } from '../settings/alarm-settings.ts';

/** A page wakes the engineer on call; a ticket waits for the morning. */
export type AlarmTopics = ReturnType<typeof alarmTopics>;

export function alarmTopics(scope: Construct, { page, ticket }: AlarmSettings) {
  const { account, partition, region, stackName } = Stack.of(scope);
  const topicFor = (id: string, subscribers: readonly Subscriber[]) => {
    const topic = new Topic(scope, id, { enforceSSL: true });
    allow(topic, 'cloudwatch', `arn:${partition}:cloudwatch:${region}:${account}:alarm:${stackName}-*`);
    for (const subscriber of subscribers) subscribe(topic, subscriber);
    return topic;
  };
  return { page: topicFor('Page', page), ticket: topicFor('Ticket', ticket) };
}

function subscribe(topic: Topic, subscriber: Subscriber): void {
  if ('email' in subscriber) {
    topic.addSubscription(new EmailSubscription(subscriber.email));
    return;
  }
  const { pager } = subscriber;
  new Subscription(topic, pager, {
    topic,
    protocol: SubscriptionProtocol.HTTPS,
    // CloudFormation reads the URL, so neither Git nor the template has it. It resolves `ssm-secure` for other
    // resources only, and SNS shows the URL to anybody who may list subscriptions.
    // https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/dynamic-references-ssm-secure-strings.html
    endpoint: `{{resolve:ssm:/${topic.stack.stackName}/${pager}}}`,
  });
}

/**
 * Notifies a topic when the account's costs of a month exceed a number of US dollars, or are expected to. AWS
 * updates them up to three times a day.
 * https://docs.aws.amazon.com/cost-management/latest/userguide/budgets-sns-policy.html
 */
export function addBudget(scope: Construct, amount: number, topic: Topic): void {
  const { account, partition } = topic.stack;
  allow(topic, 'budgets', `arn:${partition}:budgets::${account}:*`);
  const exceeded = { comparisonOperator: 'GREATER_THAN', threshold: 100, thresholdType: 'PERCENTAGE' };
  new CfnBudget(scope, 'Budget', {
    budget: {
      // What CloudFormation may change.
      budgetName: topic.stack.stackName,
      budgetType: 'COST',
      timeUnit: 'MONTHLY',
      budgetLimit: { amount, unit: 'USD' },
    },
    notificationsWithSubscribers: ['ACTUAL', 'FORECASTED'].map((notificationType) => ({
      notification: { notificationType, ...exceeded },
      subscribers: [{ subscriptionType: 'SNS', address: topic.topicArn }],
    })),
    // The topic's policy, too, which lets Budgets publish.
  }).node.addDependency(topic);
}

/** Lets a service publish for a source of this account: its principal alone would cover every account. */
function allow(topic: Topic, service: string, source: string): void {
  const ofAccount = { StringEquals: { 'aws:SourceAccount': topic.stack.account } };
  const conditions = { ...ofAccount, ArnLike: { 'aws:SourceArn': source } };
  topic.grantPublish(new ServicePrincipal(`${service}.amazonaws.com`, { conditions }));
}
