import { LambdaApplication, LambdaDeploymentConfig, LambdaDeploymentGroup } from 'aws-cdk-lib/aws-codedeploy';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import type { Indicators } from '../monitoring/indicators/indicators.ts';
import type { HandlerFunction } from '../service/handler-function.ts';
import { RollbackAlarms } from './rollback-alarms.ts';

/** With `-c fixForward=true` a release goes to all requests at once whatever rings: it is the fix for what does. */
const fixForwardKey = 'fixForward';

export interface ReleasesProps {
  readonly functions: readonly HandlerFunction[];
  readonly indicators: Indicators;
  readonly hasCanary: boolean;
}

/**
 * Moves the alias of each function to a new version, in production for a tenth of the requests first, and back to the
 * version before when an alarm rings meanwhile.
 */
export class Releases extends Construct {
  constructor(scope: Construct, id: string, { functions, indicators, hasCanary }: ReleasesProps) {
    super(scope, id);
    const isFixForward = String(this.node.tryGetContext(fixForwardKey)) === 'true';

    const application = new LambdaApplication(this, 'Application');
    const role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('codedeploy.amazonaws.com') });
    const { alarms } = new RollbackAlarms(this, 'Alarms', indicators);

    for (const { node, live } of functions) {
      new LambdaDeploymentGroup(this, node.id, {
        application,
        role,
        alias: live,
        alarms: [...alarms],
        ignoreAlarmConfiguration: isFixForward,
        deploymentConfig:
          hasCanary && !isFixForward
            ? LambdaDeploymentConfig.CANARY_10PERCENT_15MINUTES
            : LambdaDeploymentConfig.ALL_AT_ONCE,
        autoRollback: { failedDeployment: true, stoppedDeployment: true, deploymentInAlarm: !isFixForward },
      });
    }
  }
}
