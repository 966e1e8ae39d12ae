import * as iam from 'aws-cdk-lib/aws-iam';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Duration, RemovalPolicy } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { timeLimits } from '../../shared/lambda/time-limits.ts';
import type { OperationId, operations } from '../../shared/service.ts';
import { functionRuntime } from '../node-version.ts';
import type { Throttling } from '../settings/limits-and-permissions.ts';
import type { StageSettings } from '../settings/stages.ts';
import { liveAlias } from '../stack-names.ts';
import { codeOf } from './bundle.ts';
import { addLogGroup } from './log-group.ts';

/** Actions on a resource. */
export interface Permission {
  readonly actions: readonly string[];
  readonly resource: string;
}

interface LoggedFunctionProps {
  readonly code: lambda.Code;
  readonly timeout: Duration;
  /** Environment variables. */
  readonly variables: Readonly<Record<string, string>>;
  readonly permissions: readonly Permission[];
  readonly settings: StageSettings;
  /** How many executions can be in progress at the same time; the default is no limit of its own. */
  readonly concurrency?: number;
}

/** A Lambda function with its own log group, and a role that allows only what the function does. */
export class LoggedFunction extends Construct {
  readonly function: lambda.Function;
  readonly logGroup: LogGroup;

  constructor(scope: Construct, id: string, props: LoggedFunctionProps) {
    super(scope, id);
    const { code, timeout, variables, permissions, settings, concurrency } = props;

    this.logGroup = addLogGroup(this, 'Logs', settings);
    const logging = {
      actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
      resource: this.logGroup.logGroupArn,
    };
    const statements = [logging, ...permissions]
      .filter(({ actions }) => actions.length > 0)
      .map(
        ({ actions, resource }) => new iam.PolicyStatement({ actions: [...actions], resources: [resource] }),
      );
    this.function = new lambda.Function(this, 'Function', {
      code,
      handler: 'index.handler',
      runtime: new lambda.Runtime(functionRuntime, lambda.RuntimeFamily.NODEJS),
      // 20% cheaper per millisecond than x86_64.
      architecture: lambda.Architecture.ARM_64,
      memorySize: settings.memorySize,
      timeout,
      ...(settings.reservesConcurrency &&
        concurrency !== undefined && { reservedConcurrentExecutions: concurrency }),
      environment: { ...variables },
      logGroup: this.logGroup,
      loggingFormat: lambda.LoggingFormat.JSON,
      applicationLogLevelV2: lambda.ApplicationLogLevel.INFO,
      // INFO includes each invocation's report, and so cold starts.
      systemLogLevelV2: lambda.SystemLogLevel.INFO,
      // A rollback points the alias at the previous version, and deletes the new one, which Lambda would
      // otherwise not publish again.
      // https://docs.aws.amazon.com/lambda/latest/api/API_PublishVersion.html
      currentVersionOptions: { removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE },
      // Not the CDK's own role, which may write to every log group.
      role: new iam.Role(this, 'Role', {
        assumedBy: new iam.ServicePrincipal('lambda.amazonaws.com'),
        inlinePolicies: { permissions: new iam.PolicyDocument({ statements }) },
      }),
    });
  }
}

/**
 * The function of an operation or of the authorizer, with its alias. Its id, `ListPets` for `listPets`, names the
 * handler, functions/list-pets.ts, and the variable in which the release check finds its version.
 */
export class HandlerFunction extends LoggedFunction {
  /** The alias API Gateway invokes; releases shift it between versions. */
  readonly live: lambda.Alias & lambda.IFunction;

  constructor(scope: Construct, id: string, props: Omit<LoggedFunctionProps, 'code' | 'timeout'>) {
    const name = id.replaceAll(/\B[A-Z]/g, (letter) => `-${letter}`).toLowerCase();
    const code = codeOf(scope, `functions/${name}.ts`);
    super(scope, id, { ...props, code, timeout: Duration.millis(timeLimits.function) });
    // The library's types differ only under exactOptionalPropertyTypes.
    this.live = this.function.addAlias(liveAlias) as lambda.Alias & lambda.IFunction;
  }
}

/** An operation with the function that serves it. */
export interface ApiRoute {
  readonly operation: (typeof operations)[OperationId];
  readonly throttling: Throttling;
  readonly handler: Pick<HandlerFunction, 'live'>;
}
