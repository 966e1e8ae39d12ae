import { EndpointAccessMode, EndpointType, type RestApi, SecurityPolicy } from 'aws-cdk-lib/aws-apigateway';
import { Certificate, type ICertificate } from 'aws-cdk-lib/aws-certificatemanager';
import { Construct } from 'constructs';
import { apiVersion } from '../../shared/contract/operations.ts';
import type { StageSettings } from '../settings/stages.ts';

/**
 * TLS 1.2 with forward secrecy and TLS 1.3, with post-quantum key exchange, and only for requests whose host matches. API and
 * domain each have their own; without one, API Gateway accepts TLS 1.0.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-security-policies.html
 */
export const edgePolicy = {
  securityPolicy: SecurityPolicy.TLS13_1_2_PFS_PQ_2025_09,
  endpointAccessMode: EndpointAccessMode.STRICT,
};

/** A custom domain with the stage name as base path, so that both base addresses end in it. */
export class ApiDomain extends Construct {
  readonly certificate: ICertificate;
  /** What the domain's DNS record must be an alias of. */
  readonly target: string;

  constructor(
    scope: Construct,
    id: string,
    api: RestApi,
    { name, certificateArn }: NonNullable<StageSettings['domain']>,
  ) {
    super(scope, id);
    this.certificate = Certificate.fromCertificateArn(this, 'Certificate', certificateArn);
    this.target = api.addDomainName('Domain', {
      domainName: name,
      certificate: this.certificate,
      endpointType: EndpointType.REGIONAL,
      ...edgePolicy,
      basePath: apiVersion,
    }).domainNameAliasDomainName;
  }
}
