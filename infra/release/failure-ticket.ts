import { EventField, Rule, RuleTargetInput } from 'aws-cdk-lib/aws-events';
import { SnsTopic } from 'aws-cdk-lib/aws-events-targets';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Stack } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';

/**
 * Opens a ticket when an update of the stack fails or is rolled back, with the address of what to do. CodeDeploy's
 * own failures need no other: each one rolls back the update that it belongs to.
 * https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-attribute-updatepolicy.html
 */
export function addFailureTicket(scope: Construct, topic: ITopic, commit: string, runbook: string): void {
  const { stackId, stackName } = Stack.of(scope);
  const status = EventField.fromPath('$.detail.status-details.status');
  const message = RuleTargetInput.fromText(
    `The update of ${stackName} ended with ${status}. The stack records commit ${commit}. ${runbook}`,
  );
  new Rule(scope, 'Update', {
    eventPattern: {
      source: ['aws.cloudformation'],
      // Not each resource's own failure, which has the fields of a stack's.
      detailType: ['CloudFormation Stack Status Change'],
      // UPDATE_FAILED or UPDATE_ROLLBACK_COMPLETE, for example.
      // https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/event-detail-stack-status-change.html
      detail: {
        'stack-id': [stackId],
        'status-details': { status: [{ suffix: 'FAILED' }, { suffix: 'ROLLBACK_COMPLETE' }] },
      },
    },
    // Without a role, the topic would let rules of other accounts publish.
    targets: [new SnsTopic(topic, { authorizeUsingRole: true, message })],
  });
}
