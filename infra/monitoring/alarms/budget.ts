import { CfnBudget } from 'aws-cdk-lib/aws-budgets';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';

/**
 * Opens a ticket when the account's costs of a month exceed a number of US dollars, or are expected to. AWS
 * updates costs up to three times a day.
 * https://docs.aws.amazon.com/cost-management/latest/userguide/budgets-best-practices.html
 */
export function addBudget(scope: Construct, amount: number, topic: ITopic): void {
  const budget = new CfnBudget(scope, 'Budget', {
    budget: { budgetType: 'COST', timeUnit: 'MONTHLY', budgetLimit: { amount, unit: 'USD' } },
    notificationsWithSubscribers: ['ACTUAL', 'FORECASTED'].map((notificationType) => ({
      notification: {
        notificationType,
        comparisonOperator: 'GREATER_THAN',
        threshold: 100,
        thresholdType: 'PERCENTAGE',
      },
      subscribers: [{ subscriptionType: 'SNS', address: topic.topicArn }],
    })),
  });
  // The topic's policy, too, which lets Budgets publish.
  budget.node.addDependency(topic);
}
