import { ParameterNotFound } from '@aws-sdk/client-ssm';
import { describe, expect, it } from 'vitest';
import { rollback } from '../../../../bin/stage/rollback/rollback.ts';
import { DeployedStage } from '../../../support/stage/deployed-stage.ts';
import { expectSameOrUnread } from '../../../support/stage/expect-same-or-unread.ts';
import { readFake, type World } from '../../../support/stage/fake-stage.ts';
import { functions } from '../../../support/stage/stage-names.ts';

/** The conclusion, its steps, and the commands of the next one. */
async function next(world: World, options: { to?: string } = {}) {
  const [{ says, next: steps } = { says: '', next: [] }] = (await readFake(rollback, options, world))
    .findings;
  return { says, steps, commands: steps[0]?.commands };
}

const good = { code: 'a' };
const bad = { code: 'b' };
const stage = () => new DeployedStage().deploy('aaaaaaa', good);

const [first = ''] = functions;

describe('a stack that accepts no update', () => {
  it('waits for a rollback', async () => {
    const { says, steps } = await next({ ...stage().world, status: 'UPDATE_ROLLBACK_IN_PROGRESS' });

    expect(says).toBe('The stack is in UPDATE_ROLLBACK_IN_PROGRESS.');
    expect(steps).toEqual([{ text: 'wait' }]);
  });

  it('is repaired by an administrator if its update failed without a rollback', async () => {
    const { says, steps } = await next({ status: 'UPDATE_FAILED' });

    expect(says).toBe('The stack is in UPDATE_FAILED.');
    expect(steps).toEqual([{ text: 'let an administrator repair the stack' }]);
  });

  it('is led back by its deployments', async () => {
    const { says, commands } = await next(stage().deploy('bbbbbbb', bad, 'is in its canary').world);

    expect(says).toBe('A release is in progress.');
    expect(commands).toEqual([
      'aws deploy stop-deployment --auto-rollback-enabled --deployment-id d-1',
      'aws deploy stop-deployment --auto-rollback-enabled --deployment-id d-2',
    ]);
  });

  it('is cancelled if it has no deployment', async () => {
    const { world } = stage().deploy('bbbbbbb', bad, 'is in its canary');

    expect((await next({ ...world, deployments: [] })).commands).toEqual([
      'aws cloudformation cancel-update-stack --stack-name PetStore-production',
    ]);
  });

  it('says why its rollback failed, not why its update did', async () => {
    const { says, commands } = await next(stage().deploy('bbbbbbb', bad, 'cannot roll back').world);

    expect(says).toMatch(
      /^The rollback failed, and the stack accepts no update\. Resource\d+: Rate exceeded$/,
    );
    expect(commands).toEqual([
      'aws cloudformation continue-update-rollback --stack-name PetStore-production',
    ]);
  });
});

it.each(['CREATE_COMPLETE', 'UPDATE_COMPLETE_CLEANUP_IN_PROGRESS', 'IMPORT_COMPLETE'] as const)(
  'a stack in %s goes back',
  async (status) => {
    const { world } = stage().deploy('bbbbbbb', bad);

    expect((await next({ ...world, status })).says).toBe('bbbbbbb differs from aaaaaaa only in code.');
  },
);

describe('an update that was rolled back', () => {
  const failed = () => stage().deploy('bbbbbbb', bad, 'fails in its canary');

  it('is not explained by an older failure', async () => {
    const { world } = failed().deploy('ccccccc', good).deploy('ddddddd', bad, 'fails in its canary');
    const { OperationId } = world.operations?.at(-1) ?? {};
    const oldest = world.failures?.findLast((failure) => failure.OperationId === OperationId);

    expect((await next(world)).says).toBe(
      `ddddddd is not deployed any more: ccccccc is. The last update was rolled back. ${oldest?.LogicalResourceId}: Deployment failed: an alarm fired`,
    );
  });

  it('has no cause if nothing failed', async () => {
    expect((await next({ ...failed().world, failures: [] })).says).toMatch(
      /CloudFormation names no cause\.$/,
    );
  });
});

describe('a way back', () => {
  const checkOut = ['git fetch', 'git switch --detach aaaaaaa', 'npm ci'];

  it('resets what a canary has left at an alias', async () => {
    const { world } = stage().deploy('bbbbbbb', bad).deploy('ccccccc', good);
    const aliasOf = (name: string) => ({ version: 3, ...(name === first && { canary: 2 }) });

    const { commands } = await next({ ...world, aliasOf }, { to: 'ccccccc' });

    expect(commands).toEqual([
      `aws lambda update-alias --function-name ${first} --name live --function-version 3 --routing-config AdditionalVersionWeights={}`,
    ]);
  });

  it('is a deploy if a version does not exist any more', async () => {
    const { world } = stage().deploy('bbbbbbb', bad);
    const hasVersion = (name: string, version: number) => name !== first || version !== 1;

    const { says, commands } = await next({ ...world, hasVersion });

    expect(says).toBe(
      `Version 1 of ${first} does not exist any more. Its tables have the same keys, so a deploy leads back.`,
    );
    expect(commands).toEqual(checkOut);
  });

  it.each([
    ['the release records no versions', ['aaaaaaa']],
    ['no release records any', ['aaaaaaa', 'bbbbbbb']],
  ])('is a deploy if %s', async (_title, old) => {
    const { releases = [], ...world } = stage().deploy('bbbbbbb', bad).world;
    const older = releases.map(([value, minutes]) =>
      old.some((commit) => value.startsWith(commit))
        ? ([value.split(' ').slice(0, 4).join(' '), minutes] as const)
        : ([value, minutes] as const),
    );

    const { says, commands } = await next({ ...world, releases: older });

    expect(says).toMatch(/^aaaaaaa records no versions of functions\. .*, so a deploy leads back\.$/);
    expect(commands).toEqual(checkOut);
  });

  it('lacks what git lacks', async () => {
    const { world } = new DeployedStage()
      .deploy('aaaaaaa-dirty', good)
      .deploy('bbbbbbb', { ...bad, template: 'other' });

    const { says, commands } = await next(world);

    expect(says).toMatch(
      /^bbbbbbb differs from aaaaaaa-dirty in more than code\. .* Git lacks its uncommitted changes\.$/,
    );
    expect(commands).toEqual(checkOut);
  });

  it('is another release if nobody knows the commit', async () => {
    const { world } = new DeployedStage()
      .deploy('unknown', good)
      .deploy('bbbbbbb', { ...bad, template: 'other' });

    expect(await next(world)).toMatchObject({
      says: 'bbbbbbb differs from unknown in more than code. Nobody knows its commit.',
      steps: [{ text: 'choose another release: npm run stage -- rollback production --to <commit>' }],
    });
  });

  it('crosses no change of the keys of a table', async () => {
    const { says, steps } = await next(
      stage().deploy('bbbbbbb', { ...bad, template: 'other', keys: 'other' }).world,
    );

    expect(says).toMatch(
      /^bbbbbbb differs from aaaaaaa in more than code\. Its tables or their keys differ, so neither deploy it/,
    );
    expect(steps.flatMap(({ commands = [] }) => commands)).toEqual([]);
  });

  it('crosses nothing that may have changed the keys of a table', async () => {
    const { releases = [], ...world } = stage().deploy('bbbbbbb', bad).world;
    const damaged = [['f00d;curl', 5] as const, ...releases];

    const { says } = await next({ ...world, releases: damaged }, { to: 'aaaaaaa' });

    expect(says).toMatch(
      /^unknown differs from aaaaaaa in more than code\. Its tables or their keys may differ, so neither/,
    );
  });

  it.each<[to: string | undefined, says: string]>([
    [undefined, 'No earlier release is recorded.'],
    ['bbbbbbb', 'No release of bbbbbbb is recorded.'],
    ['aaaaaaa', 'aaaaaaa serves all requests.'],
  ])('to %s is unknown or not needed', async (to, says) => {
    expect((await next(stage().world, to === undefined ? {} : { to })).says).toBe(says);
  });

  it('is over if the same content serves', async () => {
    const { world } = stage().deploy('bbbbbbb', good);

    expect((await next(world, { to: 'aaaaaaa' })).says).toBe('aaaaaaa serves all requests.');
  });

  it('leads to one of several commits only if more of it is passed', async () => {
    const { world } = new DeployedStage().deploy('aaaaaa1', good).deploy('aaaaaa2', bad);

    expect((await next(world, { to: 'aaaaaa' })).says).toBe('Several releases begin with aaaaaa.');
    expect((await next(world, { to: 'aaaaaa1' })).says).toBe('aaaaaa2 differs from aaaaaa1 only in code.');
  });
});

it('follows the numbers of the records, whatever their times are', async () => {
  const { releases = [], ...world } = stage().deploy('bbbbbbb', bad).world;
  const atOnce = releases.map(([value], index) => [value, 30 + releases.length - index] as const);

  expect((await next({ ...world, releases: atOnce })).says).toBe(
    'bbbbbbb differs from aaaaaaa only in code.',
  );
});

describe('what serves', () => {
  it('is led back as a whole if no single release serves', async () => {
    const { world } = stage().deploy('bbbbbbb', bad);
    const aliasOf = (name: string) => ({ version: name === first ? 9 : 2 });

    const { says, commands } = await next({ ...world, aliasOf });

    expect(says).toBe('bbbbbbb differs from aaaaaaa only in code.');
    expect(commands).toHaveLength(functions.length);
  });

  it('is named by the release that brought it', async () => {
    const { world } = stage().deploy('bbbbbbb', { ...good, template: 'other' });

    const { because } = await readFake(rollback, {}, world);

    expect(because).toContainEqual(['Alias', `${first}: version 1 (aaaaaaa)`]);
  });

  it.each([
    ['if it is in no record', { version: 9 }, 'version 9 (in no record)'],
    [
      'with what a canary has left',
      { version: 1, canary: 2 },
      'version 1 (aaaaaaa), 10% version 2 (bbbbbbb)',
    ],
  ])('is listed %s', async (_title, alias, text) => {
    const { world } = stage().deploy('bbbbbbb', bad);

    const { because } = await readFake(rollback, {}, { ...world, aliasOf: () => alias });

    expect(because).toContainEqual(['Alias', `${first}: ${text}`]);
  });

  it('is not concluded from a record that somebody has damaged', async () => {
    const { releases = [], ...world } = stage().deploy('bbbbbbb', bad).world;

    const { says } = await next({ ...world, releases: [['f00d;curl', 5], ...releases] });

    expect(says).toBe('The aliases point to bbbbbbb, until the next deploy brings unknown back.');
  });

  it('is nothing before the first release', async () => {
    const GetParameterHistory = () => {
      throw new ParameterNotFound({ $metadata: {}, message: '' });
    };

    expect((await next({ answers: { GetParameterHistory } })).says).toBe('No release is recorded.');
  });
});

it('reverts nothing if only changes that git lacks were bad', async () => {
  const { world } = stage().deploy('aaaaaaa-dirty', bad).point(first, 1);
  const aliasOf = () => ({ version: 1 });

  expect((await next({ ...world, aliasOf })).steps).toEqual([
    { text: expect.stringMatching(/git has none to revert$/) },
  ]);
});

it('reverts what main has since the release that serves', async () => {
  const { steps } = await next(stage().deploy('bbbbbbb', bad, 'fails in its canary').world);

  expect(steps[0]?.commands).toEqual([
    'git fetch',
    'git switch --create revert-bbbbbbb origin/main',
    'git revert --no-edit -m 1 $(git rev-list --first-parent aaaaaaa..bbbbbbb) && git push origin revert-bbbbbbb',
  ]);
});

it('reverts what failed after aliases were moved, too', async () => {
  const moved = functions.reduce((own, name) => own.point(name, 1), stage().deploy('bbbbbbb', bad));
  const { steps } = await next(moved.deploy('ccccccc', { code: 'c' }).world);

  expect(steps[0]?.commands?.[2]).toMatch(/--first-parent aaaaaaa\.\.ccccccc\)/);
});

it('concludes the same, or that a fact could not be read, whatever goes wrong with calls', async () => {
  const canary = stage().deploy('bbbbbbb', bad, 'is in its canary');
  const released = stage().deploy('bbbbbbb', bad).deploy('ccccccc', good).deploy('ddddddd', { code: 'd' });
  const rolledBack = stage().deploy('bbbbbbb', bad, 'fails in its canary');
  const stuck = stage().deploy('bbbbbbb', bad, 'cannot roll back');
  const worlds = { canary, released, rolledBack, stuck };

  await expectSameOrUnread(
    rollback,
    {},
    Object.fromEntries(Object.entries(worlds).map(([name, { world }]) => [name, world])),
  );
});
