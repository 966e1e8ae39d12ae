import { stackName } from '../../infra/stack-names.ts';
import { command } from './command.ts';
import { type Step, step } from './report.ts';

/** Returns the commit that a release was built from, which lacks what was not committed. */
export const commitInGit = (commit: string) => commit.replace(/-dirty$/, '');

/** Returns the steps of a deploy that neither release check nor canary may stop, and that leaves all tables. */
export const deployByHand = (stage: string): readonly Step[] => [
  step('deploy', 'see what a deploy changes', command`npx cdk diff ${stackName(stage)} --exclusively`),
  step(
    'deploy',
    'deploy it, if no table is created, replaced or deleted',
    command`npx cdk deploy ${stackName(stage)} --exclusively -c fixForward=true`,
  ),
];
