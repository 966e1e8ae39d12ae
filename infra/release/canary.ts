import { LambdaDeploymentConfig } from 'aws-cdk-lib/aws-codedeploy';
import { Duration } from 'aws-cdk-lib/core';

/** What a new version gets first, if a stage has a canary: a tenth of the requests for 15 minutes. */
export const canary = {
  deploymentConfig: LambdaDeploymentConfig.CANARY_10PERCENT_15MINUTES,
  duration: Duration.minutes(15),
} as const;
