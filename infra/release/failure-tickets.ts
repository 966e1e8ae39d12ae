import { Stack } from 'aws-cdk-lib';
import { EventField, type EventPattern, Rule, RuleTargetInput } from 'aws-cdk-lib/aws-events';
import { SnsTopic } from 'aws-cdk-lib/aws-events-targets';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import { addRole } from '../service/role.ts';

interface FailureTicketsProps {
  readonly topic: ITopic;
  readonly applicationName: string;
  readonly commit: string;
  readonly runbook: string | undefined;
}

/** Opens a ticket when a deployment of the stage, or an update of its stack, fails or is rolled back. */
export function addFailureTickets(
  scope: Construct,
  { topic, applicationName, commit, runbook = 'docs/runbook.md' }: FailureTicketsProps,
): Rule {
  const { stackId, stackName } = Stack.of(scope);
  // Without a role, the topic would let rules of other accounts publish.
  const role = addRole(scope, 'events', [{ actions: ['sns:Publish'], resource: topic.topicArn }]);
  const addRule = (id: string, eventPattern: EventPattern, sentence: string) =>
    new Rule(scope, id, {
      eventPattern,
      targets: [
        new SnsTopic(topic, {
          role,
          message: RuleTargetInput.fromText(`${sentence} ${runbook}#a-release-goes-wrong`),
        }),
      ],
    });

  addRule(
    'Update',
    {
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
    `The update of ${stackName} ended with ${EventField.fromPath('$.detail.status-details.status')}. The stack records commit ${commit}.`,
  );
  return addRule(
    'Deployment',
    {
      source: ['aws.codedeploy'],
      detailType: ['CodeDeploy Deployment State-change Notification'],
      // https://docs.aws.amazon.com/eventbridge/latest/ref/events-ref-codedeploy.html
      detail: { application: [applicationName], state: ['FAILURE', 'STOP'] },
    },
    `The release of commit ${commit} to ${stackName} is rolled back: a deployment ended with ${EventField.fromPath('$.detail.state')}.`,
  );
}
