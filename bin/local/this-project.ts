import { functionRuntime } from '../../infra/node-version.ts';
import { projectRoot } from '../../infra/project-root.ts';
import { bundledFiles, bundleOptions } from '../../infra/service/bundle-options.ts';
import { errorBody } from '../../shared/contract/error-table.ts';
import type { LiveProject } from '../local-api/project.ts';
import { describeLog } from './describe-log.ts';

/** What the local API needs to know of this project. */
export const project: LiveProject = {
  root: projectRoot,
  runtime: functionRuntime,
  // bin/local/README.md lists the differences that they make.
  ignoredTypes: new RegExp(
    `^AWS::(${[
      'ApiGateway::(Account|BasePathMapping|Deployment|DomainName)',
      'Budgets::Budget',
      'CDK::Metadata',
      'CloudWatch::(Alarm|CompositeAlarm|Dashboard)',
      'CodeDeploy::(Application|DeploymentGroup)',
      'Events::Rule',
      'Lambda::Version',
      'Logs::(LogGroup|MetricFilter|QueryDefinition)',
      'SNS::(Subscription|Topic|TopicPolicy)',
      'SSM::Parameter',
      'WAFv2::(WebACL|WebACLAssociation)',
    ].join('|')})$`,
  ),
  hints: {
    permissions: 'infra/settings/limits-and-permissions.ts',
    resourceTypes: 'bin/local-api/template/resource-types.ts',
  },
  foreignBody: errorBody(
    'not_found',
    'The local API accepts requests only to 127.0.0.1 or localhost, and none from pages of other origins.',
  ),
  isHandler: (file) => file.startsWith('functions/'),
  describeLog,
  folders: ['bin', 'functions', 'infra', 'shared'],
  app: 'bin/pet-store.ts',
  contextOf: (stage, bundles) => ({
    'pet-store:local': stage,
    'pet-store:bundles': Object.fromEntries(bundles),
  }),
  bundledFiles,
  bundleOptions,
  ofServer: /^(bin\/(cli|keys|local|local-api)[./]|infra\/service\/bundle-options\.ts$)/,
  readOnDemand: /^bin\/reference\//,
};
