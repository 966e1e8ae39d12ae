import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  type Alias,
  ApplicationLogLevel,
  Architecture,
  type IFunction,
  Function as LambdaFunction,
  LoggingFormat,
  Runtime,
  SystemLogLevel,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { timeLimits } from '../../shared/lambda/time-limits.ts';
import type { StageSettings } from '../settings/stages.ts';
import { logRemovalPolicy } from './access-log.ts';
import { codeOf } from './bundle.ts';

/** The DynamoDB actions that a function may take, and on what. */
export interface Permission {
  readonly actions: readonly `dynamodb:${string}`[];
  readonly resource: string;
}

export interface HandlerFunctionProps {
  /** The name of the handler's file below `functions/`. */
  readonly entry: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly permissions: readonly Permission[];
  readonly settings: StageSettings;
}

/** The alias by which API Gateway invokes a function: it moves from version to version, a canary's way in production. */
const liveAlias = 'live';

/** One Lambda function, with a log group of its own and a role that allows what the function does and no more. */
export class HandlerFunction extends Construct {
  readonly function: LambdaFunction;
  readonly live: Alias & IFunction;
  readonly logGroup: LogGroup;

  constructor(
    scope: Construct,
    id: string,
    { entry, environment, permissions, settings }: HandlerFunctionProps,
  ) {
    super(scope, id);

    this.logGroup = new LogGroup(this, 'Logs', {
      retention: settings.logRetention,
      removalPolicy: logRemovalPolicy(settings),
    });
    const statements = [
      { actions: ['logs:CreateLogStream', 'logs:PutLogEvents'], resource: this.logGroup.logGroupArn },
      ...permissions,
    ].map(({ actions, resource }) => new PolicyStatement({ actions: [...actions], resources: [resource] }));

    this.function = new LambdaFunction(this, 'Function', {
      code: codeOf(this, entry),
      handler: 'index.handler',
      runtime: Runtime.NODEJS_24_X,
      // A fifth cheaper than x86_64 by the millisecond.
      architecture: Architecture.ARM_64,
      memorySize: settings.memorySize,
      timeout: Duration.millis(timeLimits.function),
      environment: { ...environment },
      logGroup: this.logGroup,
      loggingFormat: LoggingFormat.JSON,
      applicationLogLevelV2: ApplicationLogLevel.INFO,
      // INFO has the report of each invocation, and with it the cold starts.
      systemLogLevelV2: SystemLogLevel.INFO,
      // To roll back is to point the alias at the version before.
      currentVersionOptions: { removalPolicy: RemovalPolicy.RETAIN },
      role: new Role(this, 'Role', {
        assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
        inlinePolicies: { function: new PolicyDocument({ statements }) },
      }),
    });
    // The library declares the role of an alias and of a function in two ways that only exact optional types tell apart.
    this.live = this.function.addAlias(liveAlias) as Alias & IFunction;
  }
}
