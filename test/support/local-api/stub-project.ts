import type { Project } from '../../../bin/local-api/project.ts';
import { projectRoot } from '../../../infra/project-root.ts';

/** A project whose functions log no messages of their own. */
export const stubProject: Project = {
  root: projectRoot,
  runtime: 'nodejs24.x',
  ignoredTypes: /^AWS::ApiGateway::(Account|Deployment)$/,
  hints: { permissions: 'the permissions', resourceTypes: 'the resource types' },
  foreignBody: 'foreign',
  isHandler: (file) => file.startsWith('functions/'),
  describeLog: () => undefined,
};
