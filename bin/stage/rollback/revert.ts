import { unknownCommit } from '../../../infra/release/release-record.ts';
import { type Release, shortCommit } from '../aws/releases.ts';
import { command } from '../command.ts';
import type { Step } from '../report.ts';
import { commitInGit } from './release-path.ts';

/** Returns what has to follow once a stage is back, because `main` still has the bad commit. */
export function revert(good: Release, bad: Release, isAliasMoved: boolean): readonly Step[] {
  const from = commitInGit(good);
  const to = commitInGit(bad);
  if (from === unknownCommit || to === unknownCommit) {
    return [{ text: 'correct the commit on main, and approve no deploy before' }];
  }
  if (from === to) {
    return [{ text: 'discard the uncommitted changes, wherever they are: git has none to revert' }];
  }
  const branch = `revert-${to}`;
  return [
    {
      text: 'revert what is between, and approve no deploy before',
      commands: [
        command`git fetch`,
        command`git switch --create ${branch} origin/main`,
        // With -m 1, also merge commits, but not what they merged again.
        command`git revert --no-edit -m 1 $(git rev-list --first-parent ${from}..${to}) && git push origin ${branch}`,
      ],
    },
    {
      // Moved aliases stop a release with a canary.
      text: `merge. ${isAliasMoved ? 'Before it deploys' : 'While an alarm still fires'}, cancel the run that this starts, start another, and approve that (too late, or no pipeline: docs/pipeline.md#deploy-with-fixforward)`,
      commands: [
        command`git fetch`,
        command`gh run cancel $(gh run list --workflow deploy.yml --commit $(git rev-parse origin/main) --json databaseId --jq '.[0].databaseId')`,
        command`gh workflow run deploy.yml -f fixForward=true`,
      ],
    },
    {
      text: `after that deploy, run this again. If main has more than the revert, run triage instead, because this would then lead back to ${shortCommit(bad)}`,
    },
  ];
}
