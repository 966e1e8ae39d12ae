import { stackName } from '../../infra/stack-names.ts';
import { type Step, step } from './report.ts';

/** Returns the commit that a release was built from, which lacks what was not committed. */
export const commitInGit = (commit: string) => commit.replace(/-dirty$/, '');

/** Returns the steps that let a stage use another table. */
export const setTable = (stage: string, deployed: string, table: string): readonly Step[] => [
  {
    text: 'begin with the deployed commit',
    commands: ['git fetch', `git switch --create restored-table ${commitInGit(deployed)}`, 'npm ci'],
  },
  { text: `set restoredTables of ${stage} in infra/settings/stages.ts to ${table}, and commit` },
];

/** Returns the steps of a deploy that leaves the tables, and that neither release check nor canary may stop. */
export const deployByHand = (stage: string): readonly Step[] => [
  step('deploy', 'see what a deploy changes', `npx cdk diff ${stackName(stage)}`),
  step(
    'deploy',
    'deploy it, if no table is created, replaced or deleted',
    `npx cdk deploy ${stackName(stage)} -c fixForward=true`,
  ),
];
