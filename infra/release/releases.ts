import { LambdaApplication, LambdaDeploymentConfig, LambdaDeploymentGroup } from 'aws-cdk-lib/aws-codedeploy';
import { ManagedPolicy, PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import type { Indicators } from '../monitoring/indicators/indicators.ts';
import type { HandlerFunction } from '../service/handler-function.ts';
import type { StageSettings } from '../settings/stages.ts';
import { FailedReleases } from './failed-releases.ts';
import { ReleaseCheck } from './release-check.ts';
import { rollbackAlarms } from './rollback-alarms.ts';

/** With `-c fixForward=true`, deploys to all traffic immediately and ignores alarms: the release fixes what they report. */
const fixForwardKey = 'fixForward';

export interface ReleasesProps {
  readonly settings: StageSettings;
  /** The authorizer, and the function of each operation, by name. */
  readonly functions: Readonly<Record<string, HandlerFunction>>;
  readonly indicators: Indicators;
  readonly ticketTopic: ITopic | undefined;
}

/**
 * Shifts each function's alias to its new version once that has passed the release check, in production with a tenth of the
 * requests first, and rolls back if an alarm fires meanwhile.
 */
export class Releases extends Construct {
  constructor(scope: Construct, id: string, { settings, functions, indicators, ticketTopic }: ReleasesProps) {
    super(scope, id);
    const isFixForward = String(this.node.tryGetContext(fixForwardKey)) === 'true';

    const application = new LambdaApplication(this, 'Application');
    const { applicationName } = application;
    const check = new ReleaseCheck(this, 'Check', { settings, functions, applicationName });
    const role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('codedeploy.amazonaws.com'),
      managedPolicies: [
        ManagedPolicy.fromAwsManagedPolicyName('service-role/AWSCodeDeployRoleForLambdaLimited'),
      ],
      inlinePolicies: {
        check: new PolicyDocument({
          statements: [
            new PolicyStatement({
              actions: ['lambda:InvokeFunction'],
              resources: [check.function.functionArn],
            }),
          ],
        }),
      },
    }).withoutPolicyUpdates();
    const alarmsOf = rollbackAlarms(new Construct(this, 'Alarms'), indicators);

    for (const handler of Object.values(functions)) {
      new LambdaDeploymentGroup(this, handler.node.id, {
        application,
        role,
        alias: handler.live,
        preHook: check.function,
        alarms: alarmsOf(handler),
        ignoreAlarmConfiguration: isFixForward,
        deploymentConfig:
          settings.hasCanary && !isFixForward
            ? LambdaDeploymentConfig.CANARY_10PERCENT_15MINUTES
            : LambdaDeploymentConfig.ALL_AT_ONCE,
        autoRollback: { failedDeployment: true, stoppedDeployment: true, deploymentInAlarm: !isFixForward },
      });
    }
    if (ticketTopic) new FailedReleases(this, 'Failed', ticketTopic, applicationName);
  }
}
