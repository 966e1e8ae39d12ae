import { unknownCommit } from '../../../infra/release/release-record.ts';
import { commitInGit, type Release, shortCommit } from '../aws/releases.ts';
import { command } from '../command.ts';
import type { Step } from '../report.ts';

/**
 * Returns what follows on `main`, so that the next deploy keeps what a release brought. `isMoved` says whether the
 * aliases show another release than the stack.
 */
export function onMain(release: Release, isMoved: boolean): readonly Step[] {
  const commit = commitInGit(release);
  if (commit === unknownCommit) {
    return [{ text: 'approve no deploy until main deploys the same: nobody knows this release’s commit' }];
  }
  const branch = `back-to-${commit}`;
  const lacks = commit === release.commit ? '' : ' Git lacks uncommitted changes that it had.';
  return [
    {
      text: `see what main has since ${shortCommit(release)}, because the next deploy brings that: approve none before main lacks what is bad.${lacks}`,
      commands: [
        command`git fetch`,
        command`git merge-base --is-ancestor ${commit} origin/main && git log --first-parent --oneline ${commit}..origin/main`,
      ],
    },
    {
      text: 'revert all of that, or pass what is bad of it to git revert instead',
      commands: [
        // With -m 1, also merge commits, but not what they merged again.
        command`git switch --create ${branch} origin/main && git merge-base --is-ancestor ${commit} HEAD && git revert --no-edit -m 1 $(git rev-list --first-parent ${commit}..HEAD) && git push origin ${branch}`,
      ],
    },
    {
      // Moved aliases stop a release with a canary.
      text: `merge. ${isMoved ? 'Before it deploys' : 'If an alarm still fires'}, cancel the run that this starts, start another, and approve that (too late, or no pipeline: docs/pipeline.md#deploy-with-fixforward)`,
      commands: [
        command`git fetch`,
        command`gh run cancel $(gh run list --workflow deploy.yml --commit $(git rev-parse origin/main) --json databaseId --jq '.[0].databaseId')`,
        command`gh workflow run deploy.yml -f fixForward=true`,
      ],
    },
  ];
}
