import { stackName } from '../../infra/stack-names.ts';
import { command } from './command.ts';
import { type Step, step } from './report.ts';

/** Returns the commit that a release was built from, which lacks what was not committed. */
export const commitInGit = (commit: string) => commit.replace(/-dirty$/, '');

/** Returns the steps that let a stage use another table. */
export function setTable(stage: string, deployed: string, table: string): readonly Step[] {
  const commit = commitInGit(deployed);
  return [
    {
      text: 'begin with the deployed commit',
      commands: [
        command`git fetch`,
        command`git switch --create restored-${commit} ${commit}`,
        command`npm ci`,
      ],
    },
    { text: `set restoredTables of ${stage} in infra/settings/stages.ts to ${table}, and commit` },
  ];
}

/**
 * Returns the steps of a deploy that neither release check nor canary may stop. It leaves all tables, except one that
 * a table outside the stack replaces.
 */
export const deployByHand = (stage: string, replaced?: string): readonly Step[] => [
  step('deploy', 'see what a deploy changes', command`npx cdk diff ${stackName(stage)} --exclusively`),
  step(
    'deploy',
    replaced === undefined
      ? 'deploy it, if no table is created, replaced or deleted'
      : `deploy it, if no table changes except that of ${replaced}: [-] with orphan keeps the old one outside the stack, [-] with destroy deletes it`,
    command`npx cdk deploy ${stackName(stage)} --exclusively -c fixForward=true`,
  ),
];
