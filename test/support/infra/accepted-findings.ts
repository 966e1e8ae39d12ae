import type { App } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { expect } from 'vitest';
import { resourcesOf } from './template.ts';

/** Returns the resources of each of cdk-nag's findings in a stack of an app. */
export function nagFindings(app: App, stack: string): Record<string, unknown> {
  const { violations } = new AwsSolutionsChecks(app).validateScope(app.node.findChild(stack));
  return Object.fromEntries(
    violations.map(({ ruleName, violatingResources }) => [
      // A stage with a target has its account and region in place of CloudFormation's parameters.
      ruleName.replace(/arn:[^ ]*:codedeploy:.*:deploymentgroup:/, 'arn:deploymentgroup:'),
      violatingResources.map(({ constructPath }) => constructPath?.replace(`${stack}/`, '')),
    ]),
  );
}

/** Returns the findings that are accepted in a stack with this template. */
export function acceptedFindings(template: unknown): Record<string, unknown> {
  const resources = resourcesOf(template);
  const invoked = Object.keys(resources).filter(
    (id) => /^[A-Za-z]+Function[0-9A-F]{8}$/.test(id) && !id.startsWith('Releases'),
  );
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
    'AwsSolutions-COG4': expect.arrayContaining(['PetStore/Api/Default/pets/GET/Resource']),
    // Only a deployment knows the versions that the release check invokes, and its group's generated name.
    ...Object.fromEntries(
      [...invoked.map((id) => `<${id}.Arn>:*`), 'arn:deploymentgroup:<ReleasesApplication049C8ACB>/*'].map(
        (resource) => [`AwsSolutions-IAM5[Resource::${resource}]`, ['Releases/Check/Role/Resource']],
      ),
    ),
    // AWS maintains these two policies for what CodeDeploy and API Gateway do.
    [`${managedPolicy}/AWSCodeDeployRoleForLambdaLimited]`]: ['Releases/Role/Resource'],
    [`${managedPolicy}/AmazonAPIGatewayPushToCloudWatchLogs]`]: ['PetStore/Api/CloudWatchRole/Resource'],
  };
}
