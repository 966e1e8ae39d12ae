import * as apigateway from 'aws-cdk-lib/aws-apigateway';
import { Certificate, type ICertificate } from 'aws-cdk-lib/aws-certificatemanager';
import { CfnLogGroup, type LogGroup } from 'aws-cdk-lib/aws-logs';
import { Duration, RemovalPolicy } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { authorizationPattern } from '../../shared/keys/api-key.ts';
import { apiVersion } from '../../shared/service.ts';
import { keyPrefixOf } from '../key-prefix.ts';
import {
  authorizerCacheSeconds,
  otherMethodsThrottling,
  type Throttling,
} from '../settings/limits-and-permissions.ts';
import type { StageSettings } from '../settings/stages.ts';
import { apiName } from '../stack-names.ts';
import { accessLogFormat } from './access-log-format.ts';
import { addGatewayResponses } from './gateway-responses.ts';
import type { ApiRoute } from './handler-function.ts';
import { addHeadAnd405 } from './head-and-405.ts';
import { addLogGroup } from './log-group.ts';
import { addWebAcl } from './web-acl.ts';

interface PetStoreApiProps {
  readonly stage: string;
  readonly settings: StageSettings;
  readonly authorizer: ApiRoute['handler'];
  readonly routes: readonly ApiRoute[];
}

/**
 * TLS 1.3, or 1.2 with forward secrecy, both with post-quantum key exchange, for matching host names. API and
 * domain both need it: API Gateway otherwise accepts TLS 1.0.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-security-policies.html
 */
const edgePolicy = {
  securityPolicy: apigateway.SecurityPolicy.TLS13_1_2_PFS_PQ_2025_09,
  endpointAccessMode: apigateway.EndpointAccessMode.STRICT,
};

/** As the CDK once generated them: a new logical id is a new API, at another address, or a new log. */
const logicalIds = { api: 'PetStoreApi0439747D', accessLogs: 'PetStoreAccessLogs821E7380' };

/** The REST API: a method for each operation, all behind the API key authorizer. */
export class PetStoreApi extends Construct {
  readonly restApi: apigateway.RestApi;
  readonly accessLogs: LogGroup;
  /** Without a trailing slash. */
  readonly baseUrl: string;
  /** The custom domain's certificate, and the target of its DNS alias record. */
  readonly domain?: { readonly certificate: ICertificate; readonly target: string };

  constructor(scope: Construct, id: string, { stage, settings, authorizer, routes }: PetStoreApiProps) {
    super(scope, id);

    const { domain } = settings;
    const keyPrefix = keyPrefixOf(stage);
    this.accessLogs = addLogGroup(this, 'AccessLogs', settings);

    this.restApi = new apigateway.RestApi(this, 'Api', {
      restApiName: apiName(stage),
      endpointTypes: [apigateway.EndpointType.REGIONAL],
      // Otherwise API Gateway replaces invalid UTF-8 with U+FFFD, and a body could not be stored as sent.
      // https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-payload-encodings-workflow.html
      binaryMediaTypes: ['*/*'],
      // Otherwise clients could bypass the domain.
      ...(domain?.isOnlyAddress && { disableExecuteApiEndpoint: true }),
      // The account's only role for API Gateway's logs. Each stage sets it and neither removes it, not even
      // if the first deploy fails.
      cloudWatchRole: true,
      cloudWatchRoleRemovalPolicy: RemovalPolicy.RETAIN,
      defaultMethodOptions: {
        authorizer: new apigateway.TokenAuthorizer(this, 'Authorizer', {
          handler: authorizer.live,
          validationRegex: authorizationPattern(keyPrefix),
          resultsCacheTtl: Duration.seconds(authorizerCacheSeconds),
        }),
      },
      deployOptions: {
        stageName: apiVersion,
        // The stage's setting applies to each of the other methods separately.
        // https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-request-throttling.html
        methodOptions: Object.fromEntries([
          ['/*/*', throttled(otherMethodsThrottling)],
          ...routes.map(({ operation: { method, path }, throttling }) => [
            `${path}/${method}`,
            throttled(throttling),
          ]),
        ]),
        accessLogDestination: new apigateway.LogGroupLogDestination(this.accessLogs),
        accessLogFormat,
      },
    });

    const { defaultChild } = this.restApi.node;
    if (!(defaultChild instanceof apigateway.CfnRestApi))
      throw new Error('The CDK declares the API differently.');
    Object.assign(defaultChild, edgePolicy);
    defaultChild.overrideLogicalId(logicalIds.api);
    const { defaultChild: logGroup } = this.accessLogs.node;
    if (logGroup instanceof CfnLogGroup) logGroup.overrideLogicalId(logicalIds.accessLogs);
    // The stack has its own output for the base address.
    this.restApi.node.tryRemoveChild('Endpoint');

    for (const { operation, handler } of routes) {
      const integration = new apigateway.LambdaIntegration(handler.live, { allowTestInvoke: false });
      this.restApi.root
        .resourceForPath(operation.path)
        .addMethod(operation.method, integration, { operationName: operation.operationId });
    }
    addHeadAnd405(this.restApi, routes);
    addGatewayResponses(this.restApi);
    if (settings.fairUse) {
      addWebAcl(new Construct(this, 'WebAcl'), this.restApi.deploymentStage, settings.fairUse, keyPrefix);
    }

    this.baseUrl = domain?.isOnlyAddress
      ? `https://${domain.name}/${apiVersion}`
      : this.restApi.urlForPath().replace(/\/$/, '');
    if (!domain) return;
    const certificate = Certificate.fromCertificateArn(this, 'Certificate', domain.certificateArn);
    const { domainNameAliasDomainName: target } = this.restApi.addDomainName('Domain', {
      domainName: domain.name,
      certificate,
      endpointType: apigateway.EndpointType.REGIONAL,
      ...edgePolicy,
      // Both base addresses end in it.
      basePath: apiVersion,
    });
    this.domain = { certificate, target };
  }
}

const throttled = ({ rateLimit, burstLimit }: Throttling) => ({
  throttlingRateLimit: rateLimit,
  throttlingBurstLimit: burstLimit,
});
