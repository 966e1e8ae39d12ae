import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import {
  EndpointType,
  LambdaIntegration,
  LogGroupLogDestination,
  RestApi,
  SecurityPolicy,
  TokenAuthorizer,
} from 'aws-cdk-lib/aws-apigateway';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { authorizationPattern, authorizerCacheSeconds } from '../../shared/contract/api-key.ts';
import { apiVersion, type OperationId, type operations } from '../../shared/contract/operations.ts';
import { operationSettings } from '../settings/operation-settings.ts';
import type { StageName } from '../settings/stage-names.ts';
import type { StageSettings } from '../settings/stages.ts';
import { accessLogFormat, logRemovalPolicy } from './access-log.ts';
import { addGatewayResponses } from './gateway-responses.ts';

export interface PetStoreApiProps {
  readonly stage: StageName;
  readonly settings: StageSettings;
  readonly authorizer: IFunction;
  readonly routes: readonly {
    readonly operation: (typeof operations)[OperationId];
    readonly handler: IFunction;
  }[];
}

/** The REST API: a method for each operation, all of them behind the authorizer of API keys. */
export class PetStoreApi extends Construct {
  readonly api: RestApi;
  readonly accessLogs: LogGroup;
  /** Without a slash at its end. */
  readonly baseUrl: string;
  /** What the domain, if there is one, has to be an alias of. */
  readonly domainTarget: string | undefined;

  constructor(scope: Construct, id: string, { stage, settings, authorizer, routes }: PetStoreApiProps) {
    super(scope, id);

    const { domain } = settings;
    this.accessLogs = new LogGroup(this, 'AccessLogs', {
      retention: settings.logRetention,
      removalPolicy: logRemovalPolicy(settings),
    });

    this.api = new RestApi(this, 'Api', {
      restApiName: `pet-store-${stage}`,
      endpointTypes: [EndpointType.REGIONAL],
      // Whoever has a key knows one address: the domain's limits and certificate can't be gone around.
      ...(domain && { disableExecuteApiEndpoint: true }),
      // The account's one role for API Gateway's logs: both stacks set it, and neither removes it, not even a first
      // deploy that fails, whose role is by then the account's.
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
        // One setting for all methods would be applied to each by itself.
        // https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-request-throttling.html
        methodOptions: Object.fromEntries(
          routes.map(({ operation: { method, path, operationId } }) => [
            `${path}/${method}`,
            {
              throttlingRateLimit: operationSettings[operationId].throttling.rateLimit,
              throttlingBurstLimit: operationSettings[operationId].throttling.burstLimit,
            },
          ]),
        ),
        accessLogDestination: new LogGroupLogDestination(this.accessLogs),
        accessLogFormat,
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

    this.baseUrl = domain ? `https://${domain.name}/${apiVersion}` : this.api.urlForPath().replace(/\/$/, '');
    this.domainTarget = domain && this.#addDomain(domain);
  }

  /** Makes the API known by a domain, whose base path is the stage's name: both base addresses end in it. */
  #addDomain({ name, certificateArn }: NonNullable<StageSettings['domain']>): string {
    return this.api.addDomainName('Domain', {
      domainName: name,
      certificate: Certificate.fromCertificateArn(this, 'Certificate', certificateArn),
      endpointType: EndpointType.REGIONAL,
      securityPolicy: SecurityPolicy.TLS_1_2,
      basePath: apiVersion,
    }).domainNameAliasDomainName;
  }
}
