import { type Alias, isAt } from '../aws/aliases.ts';
import { type Release, shortCommit } from '../aws/releases.ts';
import type { Stack } from '../aws/stack.ts';
import { type Finding, finding } from '../report.ts';
import { pathOf, type ReleasePath } from './release-path.ts';
import { revert } from './revert.ts';
import { correct, type Way } from './way-to.ts';

interface Known {
  readonly stack: Pick<Stack, 'status'>;
  readonly releases: readonly Release[];
  readonly aliases: readonly Alias[];
}

/**
 * Says where a stage goes back to while its stack is settled, or what is left to do once it is back. `cause` is why the
 * last update failed.
 */
export function goBack(
  { stack, releases, aliases }: Known,
  cause: string,
  to: string | undefined,
): Finding | Way {
  const { path, left } = pathOf(releases);
  const current = path.at(-1);
  if (!current) return finding('No release is recorded.', correct);
  const chosen = to === undefined ? [] : releases.filter(({ commit }) => commit.startsWith(to));
  if (new Set(chosen.map(({ commit }) => commit)).size > 1) {
    return finding(`Several releases begin with ${to}.`, { text: 'pass more of the commit' });
  }
  const good = to === undefined ? path.at(-2) : chosen[0];
  const live = liveRelease(releases, aliases);
  if (live && (to === undefined || live === good)) {
    const isRolledBack = stack.status.startsWith('UPDATE_ROLLBACK_COMPLETE');
    const done = afterwards(
      live,
      current,
      left,
      isRolledBack ? ` The last update was rolled back. ${cause}` : '',
    );
    if (done) return done;
  }
  if (good) return { aliases, current, good };
  return finding(
    to === undefined ? 'No earlier release is recorded.' : `No release of ${to} is recorded.`,
    correct,
  );
}

/** Says what is left to do if the stage is back already. */
function afterwards(
  live: Release,
  current: Release,
  left: ReleasePath['left'],
  reason: string,
): Finding | undefined {
  const serving = shortCommit(live);
  if (live !== current) {
    return finding(
      `The aliases point to ${serving}, until the next deploy brings ${shortCommit(current)} back.${reason}`,
      ...revert(live, left?.release ?? current, true),
    );
  }
  if (left && !left.isReverted) {
    return finding(
      `${shortCommit(left.release)} is not deployed any more: ${serving} is.${reason}`,
      ...revert(live, left.release, false),
    );
  }
  if (reason !== '') {
    const text = 'correct or revert on main what failed, and let the pipeline deploy that';
    return finding(`${serving} serves all requests.${reason}`, { text });
  }
  if (!left) return undefined;
  const bad = shortCommit(left.release);
  return finding(`${serving} deploys the same as before ${bad}.`, { text: `nothing: ${bad} is reverted` });
}

/** Returns the newest release whose versions serve all requests. */
const liveRelease = (releases: readonly Release[], aliases: readonly Alias[]): Release | undefined =>
  releases.find(({ versions }) => aliases.every((alias) => isAt(alias, versions[alias.functionName])));
