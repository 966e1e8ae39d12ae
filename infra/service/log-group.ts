import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { RemovalPolicy } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import type { StageSettings } from '../settings/stages.ts';

/** Adds a log group, which is kept like the tables, but leaves nothing behind if the first deploy fails. */
export const addLogGroup = (
  scope: Construct,
  id: string,
  { logRetention, removalPolicy }: StageSettings,
): LogGroup =>
  new LogGroup(scope, id, {
    retention: logRetention,
    removalPolicy:
      removalPolicy === RemovalPolicy.RETAIN ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : removalPolicy,
  });
