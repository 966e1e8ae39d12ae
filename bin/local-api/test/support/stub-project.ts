import { projectRoot } from '../../../../infra/project-root.ts';
import type { Project } from '../../project.ts';

/** In milliseconds, for tests that are not about them: a busy machine may exceed the usual limits. */
export const largeLimits = { init: 60_000, place: 60_000 };

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
