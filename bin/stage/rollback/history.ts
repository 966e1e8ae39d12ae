import { type AliasMove, readAliasMoves } from '../aws/alias-moves.ts';
import { type Alias, readExisting, releaseOf, servedShares, shareOf, type Version } from '../aws/aliases.ts';
import { type Release, sameAs, shortCommit } from '../aws/releases.ts';
import type { Stack } from '../aws/stack.ts';
import { trailMinutes } from '../aws/trail.ts';
import { derive, type Fact } from '../fact.ts';
import type { Reading } from '../read-stage.ts';
import { type Figures, formatTime, percent } from '../report.ts';

/** How many releases are listed. */
export const mostReleases = 10;

/** How many moves are listed between two releases. */
const mostMoves = 12;

/** What moves aliases for a release. */
const releasing: readonly (string | undefined)[] = [
  'codedeploy.amazonaws.com',
  'cloudformation.amazonaws.com',
];

interface Facts {
  readonly stack: Fact<Stack>;
  readonly releases: Fact<readonly Release[]>;
  readonly aliases: Fact<readonly Alias[]>;
}

/** Lists the last releases, the newest first, and between them who moved the aliases. */
export async function readHistory({ clients, attempt, now }: Reading, facts: Facts): Promise<Figures> {
  const { stack, aliases } = facts;
  const releases = derive(facts.releases, (all) => all.slice(0, mostReleases));
  const [trail, existing] = await Promise.all([
    attempt('moves of aliases', { stack, releases }, (known) =>
      readAliasMoves(clients, known.stack, known.releases.at(-1)?.at ?? now),
    ),
    attempt('versions', { releases }, (known) => readExisting(clients, versionsOf(known.releases))),
  ]);
  if (!releases.isRead || !facts.releases.isRead) return {};
  const recorded = facts.releases.value;
  const moves = trail.isRead ? trail.value.moves.filter(({ by }) => !releasing.includes(by)) : [];
  const rows = releases.value.flatMap((release, index, all) => {
    const next = all[index - 1];
    const texts = moves
      .filter(({ at }) => at >= release.at && !(next && at >= next.at))
      .map((move) => moveText(move, recorded));
    return [
      ...texts.slice(0, mostMoves),
      ...(texts.length > mostMoves ? [`and ${texts.length - mostMoves} earlier moves`] : []),
      [
        `${formatTime(release.at)} ${shortCommit(release)}`,
        ...sameText(sameAs(release, all)),
        ...(aliases.isRead ? [shareText(shareOf(release, aliases.value))] : []),
        ...(existing.isRead ? [versionText(release, existing.value)] : []),
      ].join(', '),
    ];
  });
  const since = trail.isRead
    ? `since ${formatTime(trail.value.since)}`
    : 'unknown, because they were not read';
  return {
    Releases: rows.length > 0 ? rows : ['none is recorded'],
    Moves: [
      `${since}, without those of CodeDeploy and CloudFormation; CloudTrail may lack the last ${trailMinutes} minutes`,
    ],
  };
}

/** Returns the versions of some releases, each once. */
function versionsOf(releases: readonly Release[]): readonly Version[] {
  const all = releases.flatMap(({ versions }) => Object.entries(versions));
  const byText = new Map(
    all.map(([functionName, version]) => [`${functionName}:${version}`, { functionName, version }]),
  );
  return [...byText.values()];
}

const sameText = (releases: readonly Release[]): readonly string[] => {
  const commits = new Set(releases.map(shortCommit));
  return commits.size > 0 ? [`deploys the same as ${[...commits].join(' ')}`] : [];
};

const shareText = ([least, most]: readonly [number, number]): string =>
  least === most ? `serves ${percent(least)}` : `serves ${percent(least)} to ${percent(most)} by function`;

function versionText({ versions }: Release, existing: readonly Version[]): string {
  const entries = Object.entries(versions);
  if (entries.length === 0) return 'records no versions';
  const lost = entries.filter(
    ([name, number]) => !existing.some((own) => own.functionName === name && own.version === number),
  );
  if (lost.length === 0) return 'its versions exist';
  return `lost: ${lost.map(([name, number]) => `version ${number} of ${name}`).join(', ')}`;
}

const moveText = ({ at, who, ...alias }: AliasMove, releases: readonly Release[]): string =>
  `${formatTime(at)} ${who} moved ${aliasText(alias, releases)}`;

/** Describes what an alias serves, with the releases that brought these versions, if any were read. */
export function aliasText(alias: Alias, releases: readonly Release[] | undefined): string {
  const texts = Array.from(servedShares(alias), ([version, share]) => {
    const release = releases && releaseOf({ ...alias, version }, releases);
    const origin = releases ? ` (${release ? shortCommit(release) : 'in no record'})` : '';
    return `${percent(share)} version ${version}${origin}`;
  });
  return `${alias.functionName}: ${texts.join(', ')}`;
}
