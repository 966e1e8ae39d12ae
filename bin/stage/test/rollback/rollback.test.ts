import { ParameterNotFound } from '@aws-sdk/client-ssm';
import { describe, expect, it } from 'vitest';
import { rollback } from '../../rollback/rollback.ts';
import { DeployedStage } from '../support/deployed-stage.ts';
import { expectSameOrUnread } from '../support/expect-same-or-unread.ts';
import { failing, readFake, type World } from '../support/fake-stage.ts';
import { functions } from '../support/stage-names.ts';

const good = { code: 'a' };
const bad = { code: 'b' };
const stage = () => new DeployedStage().deploy('aaaaaaa', good);
const moveAll = (own: DeployedStage, version: number) =>
  functions.reduce((moved, name) => moved.point(name, version), own);

const [first = ''] = functions;

/** The conclusion with its steps, and the commands of the next one. */
async function next(world: World, to: string | null = 'aaaaaaa') {
  const options = to === null ? {} : { to };
  const [{ says, next: steps } = { says: '', next: [] }] = (await readFake(rollback, options, world))
    .findings;
  return { says, steps, commands: steps[0]?.commands };
}

/** The rows of a figure, without to. */
async function rows(world: World, title: string) {
  const { because } = await readFake(rollback, {}, world);
  return because.flatMap(([own, text]) => (own === title ? [text] : []));
}

describe('the list of releases', () => {
  it('shows which release is bad after the revert was deployed with another change', async () => {
    const { world } = moveAll(stage().deploy('bbbbbbb', bad), 1).deploy(
      'ccccccc',
      { ...good, template: 'more memory' },
      'succeeds',
      { fixForward: true },
    );

    const listed = await rows(world, 'Releases');

    expect(listed.map((row) => row.replace(/^2026-11-17 \d\d:\d\d UTC /, ''))).toEqual([
      'ccccccc, serves 100.0%, its versions exist',
      ...functions.toReversed().map((name) => `alice moved ${name}: 100.0% version 1 (aaaaaaa)`),
      'bbbbbbb, serves 0.0%, its versions exist',
      'aaaaaaa, serves 0.0%, its versions exist',
    ]);
  });

  it('proposes none', async () => {
    const { says, steps } = await next(stage().deploy('bbbbbbb', bad).world, null);

    expect(says).toBe('Choose the release that shall get all requests.');
    expect(steps).toEqual([
      {
        text: 'see what the commits say',
        commands: ['git fetch', 'git log --no-walk=unsorted --ignore-missing --oneline bbbbbbb aaaaaaa'],
      },
      { text: 'pass the commit: npm run stage -- rollback production --to <commit>' },
    ]);
  });

  it('shows which releases deploy the same', async () => {
    const { world } = stage().deploy('bbbbbbb', bad, 'fails in its canary');

    expect(await rows(world, 'Releases')).toEqual([
      expect.stringMatching(/ aaaaaaa, deploys the same as aaaaaaa, serves 100\.0%, its versions exist$/),
      expect.stringMatching(/ bbbbbbb, serves 0\.0%, lost: version 2 of /),
      expect.stringMatching(/ aaaaaaa, deploys the same as aaaaaaa, serves 100\.0%, its versions exist$/),
    ]);
  });

  it('shows what part of the requests a canary gets', async () => {
    const { world } = stage().deploy('bbbbbbb', bad, 'is in its canary');

    expect(await rows(world, 'Releases')).toEqual([
      expect.stringContaining(' bbbbbbb, serves 10.0%, '),
      expect.stringContaining(' aaaaaaa, serves 90.0%, '),
    ]);
    expect(await rows(world, 'Aliases')).toContain(
      `${first}: 90.0% version 1 (aaaaaaa), 10.0% version 2 (bbbbbbb)`,
    );
  });

  it('shows that functions serve different releases', async () => {
    const { world } = stage().deploy('bbbbbbb', bad).point(first, 1);

    expect((await rows(world, 'Releases'))[1]).toContain(' bbbbbbb, serves 0.0% to 100.0% by function, ');
  });

  it('ends with the tenth', async () => {
    const { world } = Array.from('0123456789a').reduce(
      (own, digit) => own.deploy(`aaaaaa${digit}`, { code: digit }),
      new DeployedStage(),
    );

    const listed = await rows(world, 'Releases');

    expect(listed).toHaveLength(10);
    expect(listed.at(-1)).toContain(' aaaaaa1, ');
  });

  it('counts the moves of aliases that it leaves out', async () => {
    const { world } = Array.from({ length: 15 }).reduce<DeployedStage>(
      (own) => own.point(first, 1),
      stage().deploy('bbbbbbb', bad),
    );

    expect(await rows(world, 'Releases')).toContain('and 3 earlier moves');
  });

  it('says since when it knows the moves of aliases', async () => {
    expect(await rows(stage().world, 'Moves')).toEqual([
      'since 2026-11-17 14:30 UTC, without those of CodeDeploy and CloudFormation; CloudTrail may lack the last 15 minutes',
    ]);
  });

  it('follows the numbers of the records, whatever their times are', async () => {
    const { releases = [], ...world } = stage().deploy('bbbbbbb', bad).world;
    const atOnce = releases.map(([value], index) => [value, 30 + releases.length - index] as const);

    expect(await rows({ ...world, releases: atOnce }, 'Releases')).toEqual([
      expect.stringContaining(' bbbbbbb, '),
      expect.stringContaining(' aaaaaaa, '),
    ]);
  });

  it('shows a record that somebody has damaged, but prints nothing of it', async () => {
    const { releases = [], ...world } = stage().world;
    const damaged = { ...world, releases: [['f00d;curl', 5] as const, ...releases] };

    expect((await rows(damaged, 'Releases'))[0]).toMatch(/ unknown, serves 0\.0%, records no versions$/);
    expect((await next(damaged, null)).commands?.[1]).toMatch(/ --oneline aaaaaaa$/);
  });

  it('is empty before the first release', async () => {
    const GetParameterHistory = () => {
      throw new ParameterNotFound({ $metadata: {}, message: '' });
    };
    const world = { answers: { GetParameterHistory } };

    expect((await next(world, null)).says).toBe('No release is recorded.');
    expect(await rows(world, 'Releases')).toEqual(['none is recorded']);
  });

  it.each([
    ['LookupEvents', /^2026.* UTC bbbbbbb, serves 100\.0%, its versions exist$/],
    ['GetFunctionConfiguration', /^2026.* UTC bbbbbbb, serves 100\.0%$/],
    ['GetAlias', /^2026.* UTC bbbbbbb, its versions exist$/],
  ])('lacks only what %s says, if that is denied', async (call, row) => {
    const { world } = stage().deploy('bbbbbbb', bad);

    const { because, unread } = await readFake(rollback, {}, { ...world, ...failing('denied', call) });

    expect(because.find(([title]) => title === 'Releases')?.[1]).toMatch(row);
    expect(unread.join()).toContain(call);
  });
});

it('names no release of an alias if none was read', async () => {
  const world = { ...stage().world, ...failing('denied', 'GetParameterHistory') };

  expect(await rows(world, 'Aliases')).toContain(`${first}: 100.0% version 1`);
});

it('names what an alias serves although it is in no record', async () => {
  const world = { ...stage().world, aliasOf: () => ({ version: 9 }) };

  expect(await rows(world, 'Aliases')).toContain(`${first}: 100.0% version 9 (in no record)`);
});

describe.each([null, 'aaaaaaa'])('a stack that accepts no update, with --to %s,', (to) => {
  it('waits for a rollback', async () => {
    const { says, steps } = await next({ ...stage().world, status: 'UPDATE_ROLLBACK_IN_PROGRESS' }, to);

    expect(says).toBe('The stack is in UPDATE_ROLLBACK_IN_PROGRESS.');
    expect(steps).toEqual([{ text: 'wait' }]);
  });

  it('is repaired by an administrator if its update failed without a rollback', async () => {
    const { says, steps } = await next({ status: 'UPDATE_FAILED' }, to);

    expect(says).toBe('The stack is in UPDATE_FAILED.');
    expect(steps).toEqual([{ text: 'let an administrator repair the stack' }]);
  });

  it('is led back by its deployments', async () => {
    const { says, commands } = await next(stage().deploy('bbbbbbb', bad, 'is in its canary').world, to);

    expect(says).toBe('A release is in progress.');
    expect(commands).toEqual([
      'aws deploy stop-deployment --auto-rollback-enabled --deployment-id d-1',
      'aws deploy stop-deployment --auto-rollback-enabled --deployment-id d-2',
    ]);
  });

  it('is cancelled if it has no deployment', async () => {
    const { world } = stage().deploy('bbbbbbb', bad, 'is in its canary');

    expect((await next({ ...world, deployments: [] }, to)).commands).toEqual([
      'aws cloudformation cancel-update-stack --stack-name PetStore-production',
    ]);
  });

  it('says why its rollback failed, not why its update did', async () => {
    const { says, commands } = await next(stage().deploy('bbbbbbb', bad, 'cannot roll back').world, to);

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

    expect(await rows(world, 'Stack')).toEqual([
      `PetStore-production UPDATE_ROLLBACK_COMPLETE: ${oldest?.LogicalResourceId}: Deployment failed: an alarm fired`,
    ]);
  });

  it('has no cause if nothing failed', async () => {
    expect(await rows({ ...failed().world, failures: [] }, 'Stack')).toEqual([
      'PetStore-production UPDATE_ROLLBACK_COMPLETE: CloudFormation names no cause.',
    ]);
  });
});

describe('a way to a release', () => {
  const checkOut = [
    'git fetch',
    'git merge-base --is-ancestor aaaaaaa origin/main && git switch --detach aaaaaaa && npm ci',
  ];

  it('resets what a canary has left at an alias', async () => {
    const { world } = stage().deploy('bbbbbbb', bad).deploy('ccccccc', good);
    const aliasOf = (name: string) => ({ version: 3, ...(name === first && { canary: 2 }) });

    const { commands } = await next({ ...world, aliasOf }, 'ccccccc');

    expect(commands).toEqual([
      `aws lambda update-alias --function-name ${first} --name live --function-version 3 --routing-config AdditionalVersionWeights={}`,
    ]);
  });

  it('leads to the versions of today if the stack has the same again', async () => {
    const { world } = stage().deploy('bbbbbbb', bad).deploy('ccccccc', good).point(first, 1);

    const { says, commands } = await next(world);

    expect(says).toBe('The stack has ccccccc, but the aliases point elsewhere.');
    expect(commands).toEqual([expect.stringContaining(` ${first} --name live --function-version 3 `)]);
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

  it('deploys nothing but the commit', async () => {
    const { steps } = await next(stage().deploy('bbbbbbb', { ...bad, template: 'other' }).world);

    expect(steps.map(({ commands }) => commands).slice(0, 3)).toEqual([
      checkOut,
      ['npx cdk diff PetStore-production --exclusively'],
      ['git diff --quiet aaaaaaa && npx cdk deploy PetStore-production --exclusively -c fixForward=true'],
    ]);
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

    const { says, commands } = await next(world, 'aaaaaaa-dirty');

    expect(says).toMatch(
      /^bbbbbbb differs from aaaaaaa-dirty in more than code\. .* Git lacks its uncommitted changes\.$/,
    );
    expect(commands).toEqual(checkOut);
  });

  it('is none if nobody knows the commit', async () => {
    const { world } = new DeployedStage()
      .deploy('unknown', good)
      .deploy('bbbbbbb', { ...bad, template: 'other' });

    expect(await next(world, 'unknown')).toMatchObject({
      says: 'bbbbbbb differs from unknown in more than code. Nobody knows its commit.',
      steps: [],
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

    const { says } = await next({ ...world, releases: damaged });

    expect(says).toMatch(
      /^unknown differs from aaaaaaa in more than code\. Its tables or their keys may differ, so neither/,
    );
  });

  it.each([
    ['bbbbbbb', 'No release of bbbbbbb is recorded.'],
    ['aaaaaaa', 'aaaaaaa serves all requests.'],
  ])('to %s is unknown or not needed', async (to, says) => {
    expect((await next(stage().world, to)).says).toBe(says);
  });

  it('is over if the same content serves', async () => {
    const { world } = stage().deploy('bbbbbbb', good);

    expect((await next(world)).says).toBe('bbbbbbb serves all requests.');
  });

  it('leads to one of several commits only if more of it is passed', async () => {
    const { world } = new DeployedStage().deploy('aaaaaa1', good).deploy('aaaaaa2', bad);

    expect((await next(world, 'aaaaaa')).says).toBe('Several releases begin with aaaaaa.');
    expect((await next(world, 'aaaaaa1')).says).toBe('aaaaaa2 differs from aaaaaa1 only in code.');
  });
});

it('takes a commit as the list shortens it, with uncommitted changes only if that is said', async () => {
  const commit = '0123456789abcdef0123456789abcdef01234567';
  const { world } = new DeployedStage().deploy(commit, good).deploy(`${commit}-dirty`, bad);

  expect((await next(world, '0123456789ab')).says).toBe(
    '0123456789ab-dirty differs from 0123456789ab only in code.',
  );
  expect((await next(world, '0123456789ab-dirty')).says).toBe('0123456789ab-dirty serves all requests.');
});

it('says what the next deploy brings while the aliases are moved', async () => {
  const { says, steps } = await next(moveAll(stage().deploy('bbbbbbb', bad), 1).world);

  expect(says).toBe('aaaaaaa serves all requests, until the next deploy brings bbbbbbb back.');
  expect(steps.at(-1)?.text).toMatch(/^merge\. Before it deploys, cancel the run that this starts/);
});

it('concludes the same, or that a fact could not be read, whatever goes wrong with calls', async () => {
  const canary = stage().deploy('bbbbbbb', bad, 'is in its canary');
  const released = stage().deploy('bbbbbbb', bad).deploy('ccccccc', good).deploy('ddddddd', { code: 'd' });
  const rolledBack = stage().deploy('bbbbbbb', bad, 'fails in its canary');
  const stuck = stage().deploy('bbbbbbb', bad, 'cannot roll back');
  const worlds = { canary, released, rolledBack, stuck };

  await expectSameOrUnread(
    rollback,
    { to: 'aaaaaaa' },
    Object.fromEntries(Object.entries(worlds).map(([name, { world }]) => [name, world])),
  );
});
