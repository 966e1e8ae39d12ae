import type { Project } from '../../infra/local/project.ts';
import { projectRoot } from '../../infra/project-root.ts';
import { errorBody } from '../../shared/contract/errors/error-table.ts';
import { describeLog } from './describe-log.ts';

/** What the local API needs to know of this project. */
export const project: Project = {
  root: projectRoot,
  // docs/local-api.md lists the differences that they make.
  ignoredTypes:
    /^AWS::(Budgets|CDK|CloudWatch|CodeDeploy|Events|Logs|SNS|SSM|WAFv2|ApiGateway::(Account|BasePathMapping|Deployment|DomainName)|Lambda::Version)(::|$)/,
  hints: {
    permissions: 'infra/settings/operation-settings.ts',
    resourceTypes: 'infra/local/template/resource-types.ts',
  },
  foreignBody: errorBody(
    'not_found',
    'The local API accepts requests only to 127.0.0.1 or localhost, and none from pages of other origins.',
  ),
  isHandler: (file) => file.startsWith('functions/'),
  describeLog,
};
