import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { type App, CloudFormationValidatePlugin, RemovalPolicy } from 'aws-cdk-lib/core';
import { AwsSolutionsChecks } from 'cdk-nag';
import { expect, it } from 'vitest';
import { petStoreApp } from '../../../infra/pet-store-app.ts';
import { type StageSettings, stages } from '../../../infra/settings/stages.ts';
import { capitalize, stackName } from '../../../infra/stack-names.ts';
import { tables } from '../../../shared/service.ts';
import { list } from '../../support/contract/own-operations.ts';
import { temporaryDirectory } from '../../support/e2e/temporary-file.ts';
import { everySetting } from '../../support/infra/stage-settings.ts';
import { handlers, namesIn, type Resources, resourcesOf } from '../../support/infra/template.ts';

const { certificateArn, name } = everySetting.domain;

type Choices = Readonly<Record<string, Partial<StageSettings>>>;

/** What an owner may set in a stage's record. `npm run daily -- settings` tests these, and CloudFormation's validation. */
const furtherChoices: Choices = {
  ...Object.fromEntries(
    Object.entries(everySetting).map(([setting, value]) => [setting, { [setting]: value }]),
  ),
  'alarms that notify nobody': { alarms: { page: [], ticket: [] } },
  'a domain beside the default address': { domain: { name, certificateArn } },
  'no protection': { hasCanary: false, hasDeletionProtection: false, removalPolicy: RemovalPolicy.DESTROY },
  'other sizes': { accountConcurrency: 10_000, memorySize: 1769, logRetention: RetentionDays.TEN_YEARS },
};

const { DAILY } = process.env;

const outdir = temporaryDirectory();

/** Synthesizes a release of a stage, and expects what holds for any settings. */
function release(stage: string, settings: StageSettings) {
  const app = petStoreApp(
    { [stage]: settings },
    { outdir, release: { commit: '0a1b' }, builtinCloudFormationValidation: false },
  );
  const artifact = app.synth().getStackByName(stackName(stage));
  const resources = resourcesOf(artifact.template);

  expect(nagFindings(app, stackName(stage))).toEqual(acceptedFindings(resources));
  const types = Object.entries(resources).map(([id, { Type }]) => [id, Type]);
  expect(Object.fromEntries(types)).toMatchObject(pinnedIds(settings));
  return { app, artifact };
}

const choices = Object.entries(stages).flatMap(([stage, record]) =>
  Object.entries({ 'what it has': {}, ...(DAILY && furtherChoices) }).map(([title, choice]) => ({
    stage,
    title,
    settings: { ...record, ...choice },
  })),
);

it.each(choices)('$stage can have $title', ({ stage, settings }) => {
  release(stage, settings);
});

it('production can have every setting', () => {
  const { artifact } = release('production', everySetting);

  // Permissions recognize the API of a stage by them.
  expect(artifact.tags).toEqual({ service: 'pet-store', stage: 'production' });
});

// CloudFormation would create one that moved before it deletes the other, which has its name: "already exists".
it('resources with names of their own keep their logical ids', () => {
  const { artifact } = release('production', everySetting);

  expect(namesIn(artifact.template)).toMatchObject({
    DeployedCommit77B6FAB4: '/PetStore-production/commit',
    MonitoringAlarmsGatewayErrors4FB42CBF: 'PetStore-production-GatewayErrors',
    MonitoringAlarmsPage0AD7255C: 'PetStore-production-Page',
    MonitoringAlarmsrequestsfail719D499A: 'PetStore-production-requests-fail',
    MonitoringBudget58B6A9D9: 'PetStore-production',
    MonitoringDashboard242C9864: 'PetStore-production',
    ReleasesAlarmsErrorsAA2C244F: 'PetStore-production-Release-Errors',
  });
});

it.runIf(DAILY)("a stage with every setting passes CloudFormation's validation", () => {
  const { app, artifact } = release('production', everySetting);

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

/** Returns the resources of each of cdk-nag's findings in a stack of an app. */
function nagFindings(app: App, stack: string): Record<string, unknown> {
  const { violations } = new AwsSolutionsChecks(app).validateScope(app.node.findChild(stack));
  return Object.fromEntries(
    violations
      // The CDK gives it to a function without a role.
      .filter(({ ruleName }) => !ruleName.includes('/AWSLambdaBasicExecutionRole'))
      .map(({ ruleName, violatingResources }) => [
        ruleName,
        violatingResources.map(({ constructPath }) => constructPath?.replace(`${stack}/`, '')),
      ]),
  );
}

/** Returns the findings that are accepted in a stack with these resources. */
function acceptedFindings(resources: Resources): Record<string, unknown> {
  const isHandler = new RegExp(`^(${handlers.join('|')})Function[0-9A-F]{8}$`);
  const invoked = Object.keys(resources).filter((id) => isHandler.test(id));
  const hasWebAcl = Object.values(resources).some(({ Type }) => Type === 'AWS::WAFv2::WebACL');
  const managedPolicy = 'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role';
  return {
    // The functions validate requests: their messages name the field.
    'AwsSolutions-APIG2': ['PetStore/Api/Resource'],
    // The setting fairUse adds a web ACL, which has a monthly price.
    ...(!hasWebAcl && { 'AwsSolutions-APIG3': ['PetStore/Api/DeploymentStage.v1/Resource'] }),
    // The access and function logs suffice; the execution log would contain headers.
    'AwsSolutions-APIG6': ['PetStore/Api/DeploymentStage.v1/Resource'],
    // Clients are programs with an API key, not users who sign in.
    'AwsSolutions-COG4': expect.arrayContaining([`PetStore/Api/Default${list.path}/GET/Resource`]),
    // Only a deployment knows the versions that the release check invokes, or CodeDeploy of the check.
    ...Object.fromEntries(
      invoked.map((id) => [`AwsSolutions-IAM5[Resource::<${id}.Arn>:*]`, ['Releases/Check/Role/Resource']]),
    ),
    'AwsSolutions-IAM5[Resource::<ReleasesCheckFunction789F3CB2.Arn>:*]': [
      'Releases/Role/DefaultPolicy/Resource',
    ],
    // AWS maintains these two policies for what CodeDeploy and API Gateway do.
    [`${managedPolicy}/AWSCodeDeployRoleForLambdaLimited]`]: ['Releases/Role/Resource'],
    [`${managedPolicy}/AmazonAPIGatewayPushToCloudWatchLogs]`]: ['PetStore/Api/CloudWatchRole/Resource'],
  };
}

/**
 * Returns the logical ids of a stage's resources with data or known addresses. CloudFormation replaces a
 * resource whose logical id changes. The id comes from the construct's path: to rename or move one of these
 * constructs, keep its id with `overrideLogicalId`.
 */
function pinnedIds({ alarms }: StageSettings): Record<string, string> {
  const table = 'AWS::DynamoDB::GlobalTable';
  const topic = 'AWS::SNS::Topic';
  return {
    // The API would use new, empty tables.
    ...Object.fromEntries(tables.map(({ id }) => [`Tables${capitalize(id)}`, table])),
    // Every client's base address would stop working.
    PetStoreApi0439747D: 'AWS::ApiGateway::RestApi',
    // The earlier calls to a deprecated operation would be in another log group.
    PetStoreAccessLogs821E7380: 'AWS::Logs::LogGroup',
    // Subscribers would have to confirm again to get pages and tickets.
    ...(alarms && { MonitoringTopicsPage0A2D9DD2: topic, MonitoringTopicsTicket46E75F1C: topic }),
  };
}
