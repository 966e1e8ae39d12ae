import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CloudFormationValidatePlugin } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { ResponseType } from 'aws-cdk-lib/aws-apigateway';
import { AwsSolutionsChecks } from 'cdk-nag';
import { afterAll, describe, expect, it } from 'vitest';
import { petStoreApp } from '../../infra/pet-store-app.ts';
import { commonHeaders } from '../../shared/contract/common-headers.ts';
import {
  type ErrorCode,
  errorBody,
  errorHeaders,
  errorTable,
} from '../../shared/contract/errors/error-table.ts';
import { operations } from '../../shared/contract/operations.ts';
import { arnOf, readableTemplate, resourcesOf } from '../support/infra/template.ts';

const directory = mkdtempSync(join(tmpdir(), 'pet-store-'));
afterAll(() => rmSync(directory, { recursive: true }));

// A test of its own makes CloudFormation's checks.
const app = petStoreApp(['staging', 'production'], {
  outdir: directory,
  builtinCloudFormationValidation: false,
});
const assembly = app.synth();
const operationList = Object.values(operations);

const functionNames = [
  'Authorizer',
  ...operationList.map(({ operationId }) => operationId.replace(/^./, (letter) => letter.toUpperCase())),
];

describe.each([
  {
    stage: 'staging' as const,
    other: 'production',
    isProtected: false,
    config: 'LambdaAllAtOnce',
    deletionPolicies: { tables: 'Delete', logs: 'Delete' },
  },
  {
    stage: 'production' as const,
    other: 'staging',
    isProtected: true,
    config: 'LambdaCanary10Percent15Minutes',
    deletionPolicies: { tables: 'Retain', logs: 'RetainExceptOnCreate' },
  },
])('PetStore-$stage', ({ stage, other, isProtected, config, deletionPolicies }) => {
  const artifact = assembly.getStackByName(`PetStore-${stage}`);
  const { propertiesOf } = readableTemplate(artifact.template);

  it('moves the alias of every function in a release, until an alarm rings, which looks at one minute', () => {
    const { ReleasesAlarmsErrors, ReleasesAlarmsFaults } = propertiesOf('AWS::CloudWatch::Alarm');
    const group = expect.objectContaining({
      DeploymentConfigName: `CodeDeployDefault.${config}`,
      AlarmConfiguration: {
        Enabled: true,
        Alarms: [{ Name: 'ReleasesAlarmsErrors' }, { Name: 'ReleasesAlarmsFaults' }],
      },
      AutoRollbackConfiguration: {
        Enabled: true,
        Events: ['DEPLOYMENT_FAILURE', 'DEPLOYMENT_STOP_ON_REQUEST', 'DEPLOYMENT_STOP_ON_ALARM'],
      },
    });

    expect(propertiesOf('AWS::CodeDeploy::DeploymentGroup')).toEqual(
      Object.fromEntries(functionNames.map((name) => [`Releases${name}`, group])),
    );
    for (const alarm of [ReleasesAlarmsErrors, ReleasesAlarmsFaults]) {
      expect(alarm).toMatchObject({ EvaluationPeriods: 1 });
      expect(JSON.stringify(alarm)).not.toMatch(/"Period":(?!60\b)/);
    }
  });

  it('keys both tables as they always were, can restore them, tags them, protects them in production, and forgets keys that ended', () => {
    const replica = {
      DeletionProtectionEnabled: isProtected,
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
      Tags: [
        { Key: 'service', Value: 'pet-store' },
        { Key: 'stage', Value: stage },
      ],
    };

    expect(propertiesOf('AWS::DynamoDB::GlobalTable')).toMatchObject({
      TablesPets: { KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }], Replicas: [replica] },
      TablesApiKeys: {
        KeySchema: [{ AttributeName: 'keyHash', KeyType: 'HASH' }],
        Replicas: [replica],
        TimeToLiveSpecification: { AttributeName: 'purgeAt', Enabled: true },
      },
    });
  });

  it('keeps the tables, logs and versions that it should when they are no longer declared', () => {
    const template = Template.fromJSON(artifact.template);

    template.allResources('AWS::DynamoDB::GlobalTable', {
      DeletionPolicy: deletionPolicies.tables,
      UpdateReplacePolicy: deletionPolicies.tables,
    });
    template.allResources('AWS::Logs::LogGroup', { DeletionPolicy: deletionPolicies.logs });
    template.allResources('AWS::Lambda::Version', { DeletionPolicy: 'Retain' });
    expect(artifact.terminationProtection).toBe(isProtected);
  });

  it('shares nothing with the other stage', () => {
    const template = JSON.stringify(artifact.template);

    expect(template).not.toContain(other);
    expect(template).not.toMatch(/Fn::ImportValue|"Export"/);
    expect(template).not.toMatch(/"(Table|Function|Role|LogGroup|Topic)Name":"/);
    expect(artifact.dependencies.map(({ id }) => id)).toEqual([`PetStore-${stage}.assets`]);
  });
});

describe('either stack', () => {
  const artifact = assembly.getStackByName('PetStore-production');
  const { propertiesOf } = readableTemplate(artifact.template);

  it('lets the API invoke each function from its one method or authorizer', () => {
    const source = 'arn:Partition:execute-api:Region:AccountId:PetStoreApi';
    const paths = operationList.map(
      ({ method, path }) => `PetStoreApiDeploymentStagev1/${method}${path.replaceAll(/\{\w+\}/g, '*')}`,
    );

    expect(Object.values(propertiesOf('AWS::Lambda::Permission'))).toMatchObject(
      ['authorizers/PetStoreAuthorizer', ...paths].map((path, index) => ({
        FunctionName: arnOf(`${functionNames[index]}FunctionAliaslive`),
        SourceArn: `${source}/${path}`,
      })),
    );
  });

  it('logs no header and no path of a request, and what functions and Lambda say as JSON', () => {
    expect(Object.values(propertiesOf('AWS::ApiGateway::Stage'))).toMatchObject([
      {
        AccessLogSetting: {
          Format: expect.not.stringMatching(/header|\$context\.(path|identity\.(?!sourceIp))/i),
        },
      },
    ]);
    Template.fromJSON(artifact.template).allResourcesProperties('AWS::Lambda::Function', {
      LoggingConfig: { LogFormat: 'JSON', ApplicationLogLevel: 'INFO', SystemLogLevel: 'INFO' },
    });
  });

  it("gives every one of API Gateway's own responses the status, body and headers of an error", () => {
    const typesByCode = new Map<ErrorCode, readonly string[]>([
      ['gateway_timeout', ['INTEGRATION_TIMEOUT']],
      ['internal_error', ['API_CONFIGURATION_ERROR', 'DEFAULT_5XX']],
      ['invalid_body', ['BAD_REQUEST_BODY']],
      ['invalid_request', ['BAD_REQUEST_PARAMETERS', 'DEFAULT_4XX', 'WAF_FILTERED']],
      [
        'not_found',
        ['EXPIRED_TOKEN', 'INVALID_SIGNATURE', 'MISSING_AUTHENTICATION_TOKEN', 'RESOURCE_NOT_FOUND'],
      ],
      ['payload_too_large', ['REQUEST_TOO_LARGE']],
      [
        'service_unavailable',
        ['AUTHORIZER_CONFIGURATION_ERROR', 'AUTHORIZER_FAILURE', 'INTEGRATION_FAILURE'],
      ],
      ['too_many_requests', ['QUOTA_EXCEEDED', 'THROTTLED']],
      ['unauthorized', ['ACCESS_DENIED', 'INVALID_API_KEY', 'UNAUTHORIZED']],
      ['unsupported_media_type', ['UNSUPPORTED_MEDIA_TYPE']],
    ]);
    const expected = [...typesByCode].flatMap(([code, types]) => {
      const headers = Object.entries({ ...commonHeaders, ...errorHeaders(code) });
      return types.map((ResponseType) => ({
        RestApiId: 'PetStoreApi',
        ResponseType,
        StatusCode: `${errorTable[code].status}`,
        ResponseTemplates: { 'application/json': errorBody(code) },
        ResponseParameters: Object.fromEntries(
          headers.map(([name, value]) => [`gatewayresponse.header.${name}`, `'${value}'`]),
        ),
      }));
    });
    const types = Object.values(ResponseType).filter((type) => type instanceof ResponseType);

    expect(new Set(Object.values(propertiesOf('AWS::ApiGateway::GatewayResponse')))).toEqual(
      new Set(expected),
    );
    expect(expected).toHaveLength(types.length);
  });

  it('leaves cdk-nag no finding but those that are accepted for a reason', () => {
    const { violations } = new AwsSolutionsChecks(app).validateScope(
      app.node.findChild('PetStore-production'),
    );

    const findings = violations.map(({ ruleName, violatingResources }) => [
      ruleName,
      violatingResources.map(({ constructPath }) => constructPath?.replace('PetStore-production/', '')),
    ]);
    const managedPolicy = 'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role';
    expect(Object.fromEntries(findings)).toEqual({
      // The functions validate requests: their messages name the field.
      'AwsSolutions-APIG2': ['PetStore/Api/Resource'],
      // A web ACL has a monthly price; API keys and throttling guard the API.
      'AwsSolutions-APIG3': ['PetStore/Api/DeploymentStage.v1/Resource'],
      // The access log and the logs of the functions tell enough; the execution log would hold headers.
      'AwsSolutions-APIG6': ['PetStore/Api/DeploymentStage.v1/Resource'],
      // Clients are programs with an API key, not users that sign in.
      'AwsSolutions-COG4': operationList.map(
        ({ path, method }) => `PetStore/Api/Default${path}/${method}/Resource`,
      ),
      // AWS keeps these two managed policies for what CodeDeploy and API Gateway do.
      [`${managedPolicy}/AWSCodeDeployRoleForLambdaLimited]`]: ['Releases/Role/Resource'],
      [`${managedPolicy}/AmazonAPIGatewayPushToCloudWatchLogs]`]: ['PetStore/Api/CloudWatchRole/Resource'],
    });
  });

  it('passes the checks of CloudFormation', { timeout: 120_000 }, () => {
    const { violations } = new CloudFormationValidatePlugin().validate({
      appConstruct: app,
      templatePaths: [artifact.templateFullPath],
      stackTemplates: [
        {
          stackConstructPath: artifact.hierarchicalId,
          templatePath: artifact.templateFullPath,
          accountId: undefined,
          region: undefined,
        },
      ],
    });

    expect(violations).toEqual([]);
  });

  /**
   * CloudFormation would make these anew under another logical id, which comes of the constructs' ids and where they are:
   * whoever renames or moves one of these constructs has to keep its id, with `overrideLogicalId`.
   */
  it('keeps the logical id of every resource that holds data, or that somebody outside knows', () => {
    const pinned = {
      // The API would find no pet, and take no key: the old table stays outside the stack.
      TablesPetsD2B49199: 'AWS::DynamoDB::GlobalTable',
      TablesApiKeys330F873D: 'AWS::DynamoDB::GlobalTable',
      // The base address of every client would end.
      PetStoreApi0439747D: 'AWS::ApiGateway::RestApi',
      // Who called getPet until then would be in another log group.
      PetStoreAccessLogs821E7380: 'AWS::Logs::LogGroup',
      // Whoever confirmed a subscription would no longer be woken, or get no more tickets.
      MonitoringTopicsPage0A2D9DD2: 'AWS::SNS::Topic',
      MonitoringTopicsTicket46E75F1C: 'AWS::SNS::Topic',
    };
    const types = new Set(Object.values(pinned));

    const found = Object.entries(resourcesOf(artifact.template))
      .map(([logicalId, { Type }]) => [logicalId, Type] as const)
      .filter(([, type]) => types.has(type))
      .filter(([logicalId]) => !functionNames.some((id) => logicalId.startsWith(`${id}Logs`)));
    expect(Object.fromEntries(found)).toEqual(pinned);
  });
});
