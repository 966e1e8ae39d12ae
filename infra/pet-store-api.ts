import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import {
  AccessLogField,
  AccessLogFormat,
  EndpointType,
  LambdaIntegration,
  LogGroupLogDestination,
  RestApi,
  TokenAuthorizer,
} from 'aws-cdk-lib/aws-apigateway';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { authorizationPattern, authorizerCacheSeconds } from '../shared/contract/api-key.ts';
import type { Operation } from '../shared/contract/operation.ts';
import { apiVersion } from '../shared/contract/operations.ts';
import { addGatewayResponses } from './gateway-responses.ts';
import type { StageName } from './stage-names.ts';
import type { StageSettings } from './stages.ts';

export interface PetStoreApiProps {
  readonly stage: StageName;
  readonly settings: StageSettings;
  readonly authorizer: IFunction;
  readonly routes: readonly { readonly operation: Operation; readonly handler: IFunction }[];
}

/**
 * One line of JSON a request: who called what, and what came of it. It has nothing that a client chooses, and so no key:
 * no header, and the resource's path in place of the request's.
 */
const accessLogFormat = AccessLogFormat.custom(
  JSON.stringify({
    requestId: AccessLogField.contextRequestId(),
    time: AccessLogField.contextRequestTime(),
    client: AccessLogField.contextAuthorizer('client'),
    keyId: AccessLogField.contextAuthorizer('keyId'),
    method: AccessLogField.contextHttpMethod(),
    path: AccessLogField.contextResourcePath(),
    status: AccessLogField.contextStatus(),
    latency: AccessLogField.contextResponseLatency(),
    authorizerError: AccessLogField.contextAuthorizerError(),
  }),
);

/** The REST API: a method for each operation, all of them behind the authorizer of API keys. */
export class PetStoreApi extends Construct {
  readonly api: RestApi;

  constructor(scope: Construct, id: string, { stage, settings, authorizer, routes }: PetStoreApiProps) {
    super(scope, id);

    const accessLogs = new LogGroup(this, 'AccessLogs', {
      retention: settings.logRetention,
      removalPolicy: settings.removalPolicy,
    });

    this.api = new RestApi(this, 'Api', {
      restApiName: `pet-store-${stage}`,
      endpointTypes: [EndpointType.REGIONAL],
      // The account's one role for API Gateway's logs: both stacks set it, and neither takes it away.
      cloudWatchRole: true,
      cloudWatchRoleRemovalPolicy: RemovalPolicy.RETAIN,
      defaultMethodOptions: {
        authorizer: new TokenAuthorizer(this, 'Authorizer', {
          handler: authorizer,
          validationRegex: authorizationPattern(stage),
          resultsCacheTtl: Duration.seconds(authorizerCacheSeconds),
        }),
      },
      deployOptions: {
        stageName: apiVersion,
        throttlingRateLimit: settings.throttling.rateLimit,
        throttlingBurstLimit: settings.throttling.burstLimit,
        accessLogDestination: new LogGroupLogDestination(accessLogs),
        accessLogFormat: accessLogFormat,
      },
    });

    // The stack has an output of its own for the base address.
    this.api.node.tryRemoveChild('Endpoint');

    for (const { operation, handler } of routes) {
      this.api.root
        .resourceForPath(operation.path)
        .addMethod(operation.method, new LambdaIntegration(handler, { allowTestInvoke: false }), {
          operationName: operation.operationId,
        });
    }
    addGatewayResponses(this.api);
  }
}
