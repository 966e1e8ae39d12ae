import { Stack } from 'aws-cdk-lib';
import { type EventPattern, Rule } from 'aws-cdk-lib/aws-events';
import { SnsTopic } from 'aws-cdk-lib/aws-events-targets';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';

/** The last part of a stack's final states after a failure, such as UPDATE_FAILED or UPDATE_ROLLBACK_COMPLETE. */
const failedStates = [{ suffix: 'FAILED' }, { suffix: 'ROLLBACK_COMPLETE' }];

/** Opens a ticket when a deployment of the stage fails or is rolled back. */
export class FailedReleases extends Construct {
  constructor(scope: Construct, id: string, ticketTopic: ITopic, applicationName: string) {
    super(scope, id);
    const target = new SnsTopic(ticketTopic);
    const patterns: Readonly<Record<string, EventPattern>> = {
      // https://docs.aws.amazon.com/eventbridge/latest/ref/events-ref-codedeploy.html
      Deployment: {
        source: ['aws.codedeploy'],
        detailType: ['CodeDeploy Deployment State-change Notification'],
        detail: { application: [applicationName], state: ['FAILURE', 'STOP'] },
      },
      // https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/event-detail-stack-status-change.html
      Stack: {
        source: ['aws.cloudformation'],
        detailType: ['CloudFormation Stack Status Change'],
        detail: { 'stack-id': [Stack.of(this).stackId], 'status-details': { status: failedStates } },
      },
    };
    for (const [ruleId, eventPattern] of Object.entries(patterns)) {
      new Rule(this, ruleId, { eventPattern, targets: [target] });
    }
  }
}
