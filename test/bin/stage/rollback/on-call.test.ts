import fc from 'fast-check';
import { expect, it } from 'vitest';
import { rollback } from '../../../../bin/stage/rollback/rollback.ts';
import { type Content, DeployedStage, type Outcome } from '../../../support/stage/deployed-stage.ts';
import { readFake } from '../../../support/stage/fake-stage.ts';
import { functions } from '../../../support/stage/stage-names.ts';

/** What the commits of `main` deploy. */
const git = {
  '0000000': { code: 'zero' },
  aaaaaaa: { code: 'a' },
  bbbbbbb: { code: 'b' },
  // Only the first function differs from aaaaaaa.
  ccccccc: { code: { ...functions.map(() => 'a'), 0: 'c' } },
  ddddddd: { code: 'd', template: 'second' },
} satisfies Record<string, Content>;
type Commit = keyof typeof git;

const deployed = (...commits: readonly Commit[]) =>
  commits.reduce((stage, commit) => stage.deploy(commit, git[commit]), new DeployedStage());

/** Does what lines say as far as it changes the stage. A revert is the commit eeeeeee. */
function shell(stage: DeployedStage) {
  const fixForward = { fixForward: true };
  const contentOf = (commit: string) => stage.contents.get(commit) ?? { code: '' };
  let checkedOut = '';
  let reverted = '';
  const effects: readonly (readonly [
    line: RegExp,
    effect: (...parts: string[]) => unknown,
    changesStage: boolean,
  ])[] = [
    [
      /^aws lambda update-alias --function-name (\S+) --name live --function-version (\d+) --routing-config AdditionalVersionWeights=\{\}$/,
      (name = '', version = '') => stage.point(name, Number(version)),
      true,
    ],
    [
      /^aws (?:deploy stop-deployment --auto-rollback-enabled|cloudformation cancel-update-stack) /,
      () => stage.stop(),
      true,
    ],
    [/^git switch --detach (\S+)$/, (commit = '') => (checkedOut = commit), false],
    [/^git revert --no-edit .* --first-parent (\w+)\.\.\w+\)/, (commit = '') => (reverted = commit), false],
    [
      /^npx cdk deploy \S+ .*-c fixForward=true/,
      () => stage.deploy(checkedOut, contentOf(checkedOut), 'succeeds', fixForward),
      true,
    ],
    [
      /^gh workflow run deploy\.yml -f fixForward=true$/,
      () => stage.deploy('eeeeeee', contentOf(reverted), 'succeeds', fixForward),
      true,
    ],
  ];
  /** Returns whether a line changes the stage. */
  return (line: string): boolean =>
    effects.some(([pattern, effect, changesStage]) => {
      const [, ...parts] = pattern.exec(line) ?? [];
      if (!pattern.test(line)) return false;
      effect(...parts);
      return changesStage;
    });
}

/** Plays somebody on call, who does what the command prints until nothing is left to do, and returns what it said. */
async function play(stage: DeployedStage, to?: string): Promise<readonly string[]> {
  const said: string[] = [];
  const run = shell(stage);
  for (let isDone = false; !isDone && said.length < 6; ) {
    const options = to !== undefined && said.length === 0 ? { to } : {};
    const [found] = (await readFake(rollback, options, stage.world)).findings;
    said.push(`${found?.says}`);
    const lines = found?.next.flatMap(({ commands = [] }) => commands) ?? [];
    isDone = lines.filter(run).length === 0;
  }
  return said;
}

const alarm = 'The last update was rolled back. Resource0: Deployment failed: an alarm fired';
const onlyCode = (from: Commit, to: Commit) => `${from} differs from ${to} only in code.`;
const reverted = (commit: Commit) => `eeeeeee deploys the same as before ${commit}.`;
const moved = (to: Commit, from: Commit) =>
  `The aliases point to ${to}, until the next deploy brings ${from} back.`;
const sameKeys = 'Its tables have the same keys, so a deploy leads back.';

interface Incident {
  readonly stage: DeployedStage;
  readonly to?: Commit;
  readonly says: readonly string[];
  readonly serves: Commit;
}

it.each<[title: string, Incident]>([
  [
    'during a canary',
    {
      stage: deployed('0000000', 'aaaaaaa').deploy('bbbbbbb', git.bbbbbbb, 'is in its canary'),
      says: [
        'A release is in progress.',
        `bbbbbbb is not deployed any more: aaaaaaa is. ${alarm}`,
        reverted('bbbbbbb'),
      ],
      serves: 'aaaaaaa',
    },
  ],
  [
    'after a canary',
    {
      stage: deployed('0000000', 'aaaaaaa', 'bbbbbbb'),
      says: [onlyCode('bbbbbbb', 'aaaaaaa'), moved('aaaaaaa', 'bbbbbbb'), reverted('bbbbbbb')],
      serves: 'aaaaaaa',
    },
  ],
  [
    'to the release before two bad ones',
    {
      stage: deployed('0000000', 'aaaaaaa', 'bbbbbbb'),
      to: '0000000',
      says: [onlyCode('bbbbbbb', '0000000'), moved('0000000', 'bbbbbbb'), reverted('bbbbbbb')],
      serves: '0000000',
    },
  ],
  [
    'if only one function has changed',
    {
      stage: deployed('aaaaaaa', 'ccccccc'),
      says: [onlyCode('ccccccc', 'aaaaaaa'), moved('aaaaaaa', 'ccccccc'), reverted('ccccccc')],
      serves: 'aaaaaaa',
    },
  ],
  [
    'from a stack that has changed',
    {
      stage: deployed('aaaaaaa', 'ddddddd'),
      says: [
        `ddddddd differs from aaaaaaa in more than code. ${sameKeys}`,
        'ddddddd is not deployed any more: aaaaaaa is.',
        reverted('ddddddd'),
      ],
      serves: 'aaaaaaa',
    },
  ],
  [
    'once the canary has failed',
    {
      stage: deployed('0000000', 'aaaaaaa').deploy('bbbbbbb', git.bbbbbbb, 'fails in its canary'),
      says: [`bbbbbbb is not deployed any more: aaaaaaa is. ${alarm}`, reverted('bbbbbbb')],
      serves: 'aaaaaaa',
    },
  ],
  [
    'to no older release if the last update has failed early',
    {
      stage: deployed('0000000', 'aaaaaaa').deploy('bbbbbbb', git.bbbbbbb, 'fails early'),
      says: [`aaaaaaa serves all requests. ${alarm}`],
      serves: 'aaaaaaa',
    },
  ],
  [
    'past a release that failed',
    {
      stage: deployed('aaaaaaa')
        .deploy('bbbbbbb', git.bbbbbbb, 'fails in its canary')
        .deploy('0000000', git['0000000']),
      says: [onlyCode('0000000', 'aaaaaaa'), moved('aaaaaaa', '0000000'), reverted('0000000')],
      serves: 'aaaaaaa',
    },
  ],
  [
    'to what was there before a deploy of the same content',
    {
      stage: deployed('aaaaaaa', 'bbbbbbb').deploy('0000000', git.bbbbbbb),
      says: [onlyCode('0000000', 'aaaaaaa'), moved('aaaaaaa', '0000000'), reverted('0000000')],
      serves: 'aaaaaaa',
    },
  ],
  [
    'after a deploy that moved aliases have stopped',
    {
      stage: moveAll(deployed('aaaaaaa', 'bbbbbbb'), 1).deploy('0000000', git['0000000']),
      says: [`${moved('aaaaaaa', 'bbbbbbb')} ${alarm}`, reverted('bbbbbbb')],
      serves: 'aaaaaaa',
    },
  ],
  [
    'all functions if only one is back',
    {
      stage: deployed('aaaaaaa', 'bbbbbbb').point(functions[0] ?? '', 1),
      says: [onlyCode('bbbbbbb', 'aaaaaaa'), moved('aaaaaaa', 'bbbbbbb'), reverted('bbbbbbb')],
      serves: 'aaaaaaa',
    },
  ],
])('leads back %s', async (_title, { stage, to, says, serves }) => {
  expect(await play(stage, to)).toEqual(says);
  expect(stage.served).toEqual(functions.map(() => git[serves].code));
});

it('leads back to what served before, whatever was released before that', async () => {
  const release = fc.record({
    code: fc.constantFrom('a', 'b', 'c'),
    template: fc.constantFrom('first', 'second'),
    outcome: fc.constantFrom<Outcome>('succeeds', 'fails in its canary', 'fails early'),
  });
  const ends = fc.constantFrom<Outcome>('succeeds', 'is in its canary');
  await fc.assert(
    fc.asyncProperty(fc.array(release, { maxLength: 5 }), ends, async (earlier, outcome) => {
      const stage = deployed('0000000');
      for (const [index, own] of earlier.entries()) stage.deploy(`aaaaaa${index}`, own, own.outcome);
      const before = stage.served;

      const said = await play(stage.deploy('bbbbbbb', { code: 'bad' }, outcome));

      expect(stage.served).toEqual(before);
      expect(said.at(-1)).toBe(reverted('bbbbbbb'));
    }),
    { numRuns: 20 },
  );
});

function moveAll(stage: DeployedStage, version: number): DeployedStage {
  return functions.reduce((moved, name) => moved.point(name, version), stage);
}
