import fc from 'fast-check';
import { expect, it } from 'vitest';
import { rollback } from '../../rollback/rollback.ts';
import { type Content, DeployedStage, type Outcome } from '../support/deployed-stage.ts';
import { readFake } from '../support/fake-stage.ts';
import { functions } from '../support/stage-names.ts';

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

/** Does what lines say, as far as it changes the stage or `main`, whose commits are the oldest first. */
function shell(stage: DeployedStage, main: string[]) {
  const pushed: Content[] = [];
  let checkedOut = '';
  const isOnMain = (commit: string) => {
    if (!main.includes(commit)) throw new Error(`${commit} is not on main.`);
    return true;
  };
  const contentOf = (commit = '') => stage.contents.get(commit) ?? { code: '' };
  const fixForward = (commit = '') =>
    stage.deploy(commit, contentOf(commit), 'succeeds', { fixForward: true });
  const merge = () => {
    for (const content of pushed.splice(0)) {
      const commit = `eeeeee${main.length}`;
      stage.contents.set(commit, content);
      main.push(commit);
    }
  };
  const effects: readonly (readonly [line: RegExp, effect: (...parts: string[]) => unknown])[] = [
    [
      /^aws lambda update-alias --function-name (\S+) --name live --function-version (\d+) --routing-config AdditionalVersionWeights=\{\}$/,
      (name = '', version = '') => stage.point(name, Number(version)),
    ],
    [
      /^aws (?:deploy stop-deployment --auto-rollback-enabled|cloudformation cancel-update-stack) /,
      () => stage.stop(),
    ],
    [/^aws cloudformation continue-update-rollback /, () => stage.continueRollback()],
    [
      /^git merge-base --is-ancestor (\w+) origin\/main && git switch --detach \1 && npm ci$/,
      (commit = '') => {
        checkedOut = isOnMain(commit) ? commit : '';
      },
    ],
    [
      /^git diff --quiet (\w+) && npx cdk deploy \S+ --exclusively -c fixForward=true$/,
      (commit) => commit === checkedOut && fixForward(commit),
    ],
    [
      /^git switch --create \S+ origin\/main && git merge-base --is-ancestor (\w+) HEAD && git revert --no-edit -m 1 \$\(git rev-list --first-parent \1\.\.HEAD\) && git push origin \S+$/,
      (commit = '') => isOnMain(commit) && pushed.push(contentOf(commit)),
    ],
    [/^gh run cancel /, merge],
    [/^gh workflow run deploy\.yml -f fixForward=true$/, () => fixForward(main.at(-1))],
  ];
  return (line: string): void => {
    for (const [pattern, effect] of effects) {
      const [whole, ...parts] = pattern.exec(line) ?? [];
      if (whole !== undefined) effect(...parts);
    }
  };
}

const log =
  /^git merge-base --is-ancestor (\w+) origin\/main && git log --first-parent --oneline \1\.\.origin\/main$/;
const changesStage = /^(?:aws|gh workflow run|git diff .* npx cdk deploy) /;

/**
 * Plays somebody on call, who does what the command prints until a release serves and `main` has nothing since it, and
 * returns what it said.
 */
async function play(stage: DeployedStage, to: string, main = [...stage.contents.keys()]) {
  const said: string[] = [];
  const run = shell(stage, main);
  for (let isDone = false; !isDone && said.length < 8; ) {
    const [found] = (await readFake(rollback, { to }, stage.world)).findings;
    said.push(`${found?.says}`);
    isDone = true;
    for (const line of found?.next.flatMap(({ commands = [] }) => commands) ?? []) {
      if (log.exec(line)?.[1] === main.at(-1)) break;
      run(line);
      if (changesStage.test(line)) isDone = false;
    }
  }
  return said;
}

const onlyCode = (from: Commit, to: Commit) => `${from} differs from ${to} only in code.`;
const serves = (commit: string) => `${commit} serves all requests.`;
const sameKeys = 'Its tables have the same keys, so a deploy leads back.';

interface Incident {
  readonly stage: DeployedStage;
  readonly to: Commit;
  readonly says: readonly string[];
}

it.each<[title: string, Incident]>([
  [
    'during a canary',
    {
      stage: deployed('0000000', 'aaaaaaa').deploy('bbbbbbb', git.bbbbbbb, 'is in its canary'),
      to: 'aaaaaaa',
      says: ['A release is in progress.', serves('aaaaaaa'), serves('eeeeee3')],
    },
  ],
  [
    'after a canary',
    {
      stage: deployed('0000000', 'aaaaaaa', 'bbbbbbb'),
      to: 'aaaaaaa',
      says: [onlyCode('bbbbbbb', 'aaaaaaa'), serves('eeeeee3')],
    },
  ],
  [
    'to the release before two bad ones',
    {
      stage: deployed('0000000', 'aaaaaaa', 'bbbbbbb'),
      to: '0000000',
      says: [onlyCode('bbbbbbb', '0000000'), serves('eeeeee3')],
    },
  ],
  [
    'if only one function has changed',
    {
      stage: deployed('aaaaaaa', 'ccccccc'),
      to: 'aaaaaaa',
      says: [onlyCode('ccccccc', 'aaaaaaa'), serves('eeeeee2')],
    },
  ],
  [
    'from a stack that has changed',
    {
      stage: deployed('aaaaaaa', 'ddddddd'),
      to: 'aaaaaaa',
      says: [`ddddddd differs from aaaaaaa in more than code. ${sameKeys}`, serves('eeeeee2')],
    },
  ],
  [
    'once the canary has failed',
    {
      stage: deployed('0000000', 'aaaaaaa').deploy('bbbbbbb', git.bbbbbbb, 'fails in its canary'),
      to: 'aaaaaaa',
      says: [serves('aaaaaaa'), serves('eeeeee3')],
    },
  ],
  [
    'once its rollback has failed',
    {
      stage: deployed('aaaaaaa').deploy('bbbbbbb', git.bbbbbbb, 'cannot roll back'),
      to: 'aaaaaaa',
      says: [
        'The rollback failed, and the stack accepts no update. Resource4: Rate exceeded',
        serves('aaaaaaa'),
        serves('eeeeee2'),
      ],
    },
  ],
  [
    'forward to what the stack has, if only one function is back',
    {
      stage: deployed('aaaaaaa', 'bbbbbbb').point(functions[0] ?? '', 1),
      to: 'bbbbbbb',
      says: ['The stack has bbbbbbb, but the aliases point elsewhere.', serves('bbbbbbb')],
    },
  ],
])('leads back %s', async (_title, { stage, to, says }) => {
  expect(await play(stage, to)).toEqual(says);
  expect(stage.served).toEqual(functions.map((_name, index) => codeOf(git[to], index)));
});

const codeOf = ({ code }: Content, index: number) =>
  typeof code === 'string' ? code : (code[index] ?? 'first');

it('lets any release serve, and the next deploy keeps it, whatever happened before', async () => {
  const deploy = fc.record({
    code: fc.constantFrom('a', 'b', { 0: 'c' }),
    template: fc.constantFrom('first', 'second'),
    outcome: fc.constantFrom<Outcome>('succeeds', 'fails in its canary', 'fails early'),
    fixForward: fc.boolean(),
  });
  const move = fc.record({ index: fc.nat(functions.length - 1), version: fc.integer({ min: 1, max: 6 }) });
  const last = fc.constantFrom<Outcome>('succeeds', 'is in its canary', 'cannot roll back');
  const history = fc.array(fc.oneof(deploy, move), { maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(history, last, fc.nat(), async (steps, outcome, choice) => {
      const stage = deployed('0000000');
      for (const [number, step] of steps.entries()) {
        if ('code' in step) stage.deploy(`aaaaaa${number}`, step, step.outcome, step);
        else stage.tryPoint(functions[step.index] ?? '', step.version);
      }
      stage.deploy('bbbbbbb', { code: 'bad' }, outcome);
      const main = [...stage.contents.keys()];
      const commits = stage.recorded;
      const to = commits[choice % commits.length] ?? '';
      const chosen = stage.contents.get(to) ?? { code: '' };
      const expected = functions.map((_name, index) => codeOf(chosen, index));

      const said = await play(stage, to, main);

      expect(said.at(-1)).toMatch(/^\w+ serves all requests\.$/);
      expect(stage.served).toEqual(expected);
      stage.deploy('ffffff1', stage.contents.get(main.at(-1) ?? '') ?? { code: '' });
      expect(stage.served).toEqual(expected);
      stage.deploy('ffffff2', { code: 'next' });
      expect(stage.served).toEqual(functions.map(() => 'next'));
    }),
    { numRuns: 40 },
  );
});
