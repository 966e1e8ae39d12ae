import { CfnBudget } from 'aws-cdk-lib/aws-budgets';
import { ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Subscription, SubscriptionProtocol, Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Stack } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import type { Subscriber } from '../settings/alarm-settings.ts';

/** A page wakes the engineer on call; a ticket waits for the morning. */
export type AlarmTopics = Readonly<Record<'page' | 'ticket', Topic>>;

/** Adds a topic to which the alarms of the stack may publish, with its subscribers. */
export function addTopic(scope: Construct, id: string, subscribers: readonly Subscriber[]): Topic {
  const { account, partition, region, stackName } = Stack.of(scope);
  const topic = new Topic(scope, id, { enforceSSL: true });
  allow(topic, 'cloudwatch', `arn:${partition}:cloudwatch:${region}:${account}:alarm:${stackName}-*`);
  for (const subscriber of subscribers) {
    if ('email' in subscriber) {
      topic.addSubscription(new EmailSubscription(subscriber.email));
    } else {
      const { pager } = subscriber;
      new Subscription(topic, pager, {
        topic,
        protocol: SubscriptionProtocol.HTTPS,
        // CloudFormation reads the URL, so neither Git nor the template has it. It resolves `ssm-secure` for other
        // resources only, and SNS shows the URL to anybody who may list subscriptions.
        // https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/dynamic-references-ssm-secure-strings.html
        endpoint: `{{resolve:ssm:/${stackName}/${pager}}}`,
      });
    }
  }
  return topic;
}

/**
 * Notifies a topic when the account's costs of a month exceed a number of US dollars, or are expected to. AWS
 * updates them up to three times a day. To change a notification, remove the budget in one deploy, and add it in the
 * next: CloudFormation would replace it, and it has a name of its own.
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
  const fromAccount = { StringEquals: { 'aws:SourceAccount': topic.stack.account } };
  const conditions = { ...fromAccount, ArnLike: { 'aws:SourceArn': source } };
  topic.grantPublish(new ServicePrincipal(`${service}.amazonaws.com`, { conditions }));
}
