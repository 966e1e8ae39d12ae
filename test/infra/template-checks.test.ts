import { CloudFormationValidatePlugin } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { expect, it } from 'vitest';
import { petStoreApp } from '../../infra/pet-store-app.ts';
import { temporaryDirectory } from '../support/e2e/temporary-file.ts';
import { productionSettings } from '../support/infra/stage-settings.ts';
import { resourcesOf } from '../support/infra/template.ts';

const app = petStoreApp(
  { production: productionSettings },
  { outdir: temporaryDirectory(), builtinCloudFormationValidation: false },
);
const artifact = app.synth().getStackByName('PetStore-production');

it('has no cdk-nag findings except the accepted ones', () => {
  const { violations } = new AwsSolutionsChecks(app).validateScope(app.node.findChild('PetStore-production'));

  const findings = violations.map(({ ruleName, violatingResources }) => [
    ruleName,
    violatingResources.map(({ constructPath }) => constructPath?.replace('PetStore-production/', '')),
  ]);
  const managedPolicy = 'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role';
  expect(Object.fromEntries(findings)).toEqual({
    // The functions validate requests: their messages name the field.
    'AwsSolutions-APIG2': ['PetStore/Api/Resource'],
    // The access and function logs suffice; the execution log would contain headers.
    'AwsSolutions-APIG6': ['PetStore/Api/DeploymentStage.v1/Resource'],
    // Clients are programs with an API key, not users who sign in.
    'AwsSolutions-COG4': expect.arrayContaining(['PetStore/Api/Default/pets/GET/Resource']),
    // Only a deployment knows the versions that the release check invokes, and its group's generated name.
    ...Object.fromEntries(
      [
        ...Object.keys(resourcesOf(artifact.template))
          .filter((id) => /^[A-Za-z]+Function[0-9A-F]{8}$/.test(id) && !id.startsWith('Releases'))
          .map((id) => `<${id}.Arn>:*`),
        `arn:<AWS::Partition>:codedeploy:<AWS::Region>:<AWS::AccountId>:deploymentgroup:<ReleasesApplication049C8ACB>/*`,
      ].map((resource) => [`AwsSolutions-IAM5[Resource::${resource}]`, ['Releases/Check/Role/Resource']]),
    ),
    // AWS maintains these two policies for what CodeDeploy and API Gateway do.
    [`${managedPolicy}/AWSCodeDeployRoleForLambdaLimited]`]: ['Releases/Role/Resource'],
    [`${managedPolicy}/AmazonAPIGatewayPushToCloudWatchLogs]`]: ['PetStore/Api/CloudWatchRole/Resource'],
  });
});

it("passes CloudFormation's validation", { timeout: 120_000 }, () => {
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
 * CloudFormation replaces a resource whose logical id changes. The id comes from the construct's path: to
 * rename or move one of these constructs, keep its id with `overrideLogicalId`.
 */
it('keeps the logical ids of resources with data or known addresses', () => {
  const pinned = {
    // The API would use new, empty tables.
    TablesPetsD2B49199: 'AWS::DynamoDB::GlobalTable',
    TablesApiKeys330F873D: 'AWS::DynamoDB::GlobalTable',
    // Every client's base address would stop working.
    PetStoreApi0439747D: 'AWS::ApiGateway::RestApi',
    // The earlier calls to getPet would be in another log group.
    PetStoreAccessLogs821E7380: 'AWS::Logs::LogGroup',
    // Subscribers would have to confirm again to get pages and tickets.
    MonitoringTopicsPage0A2D9DD2: 'AWS::SNS::Topic',
    MonitoringTopicsTicket46E75F1C: 'AWS::SNS::Topic',
  };

  const types = Object.entries(resourcesOf(artifact.template)).map(([id, { Type }]) => [id, Type]);
  expect(Object.fromEntries(types)).toMatchObject(pinned);
});
