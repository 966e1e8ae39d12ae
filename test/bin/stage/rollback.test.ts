import { describe, expect, it } from 'vitest';
import { rollback } from '../../../bin/stage/rollback.ts';
import {
  apiKeys,
  failing,
  failure,
  functions,
  oldKeys,
  ownTable,
  readFake,
  type World,
} from '../../support/stage/fake-stage.ts';

/** The conclusion, its steps, and the commands of the next one. */
async function next(world: World, options: { to?: string } = {}) {
  const [{ says, next: steps } = { says: '', next: [] }] = (await readFake(rollback, options, world))
    .findings;
  return { says, steps, role: steps[0]?.role, commands: steps[0]?.commands };
}

const day = 24 * 60;
const good = ['aaaaaaa 222222222222 333333333333', 3 * day] as const;
const bad = ['bbbbbbb 222222222222 333333333333', 30] as const;

/** Only the code of functions has changed since the good release. */
const onlyCode: World = {
  releases: [bad, good],
  versions: [
    [5, 10 * day],
    [6, 3 * day],
    [7, 28],
  ],
  live: 7,
};
const withDigests = (digests: string): World => ({
  ...onlyCode,
  releases: [[`bbbbbbb ${digests}`, 30], good],
});

const updateAliases = (version: number) =>
  functions.map(
    (name) =>
      `aws lambda update-alias --function-name ${name} --name live --function-version ${version} --routing-config AdditionalVersionWeights={}`,
  );

const checkOutGood = ['git fetch', 'git switch --detach aaaaaaa', 'npm ci'];

it.each<[title: string, world: World, says: RegExp, commands?: readonly string[]]>([
  [
    'stops the deployments of a canary',
    { status: 'UPDATE_IN_PROGRESS', deployments: ['d-1', 'd-2'] },
    /^A release is in progress\.$/,
    [
      'aws deploy stop-deployment --auto-rollback-enabled --deployment-id d-1',
      'aws deploy stop-deployment --auto-rollback-enabled --deployment-id d-2',
    ],
  ],
  [
    'cancels an update that hangs',
    { status: 'UPDATE_IN_PROGRESS' },
    /^A release is in progress\.$/,
    ['aws cloudformation cancel-update-stack --stack-name PetStore-production'],
  ],
  [
    'says why a rollback failed',
    { status: 'UPDATE_ROLLBACK_FAILED', failures: [failure('AuthorizerFunction', 'Rate exceeded')] },
    /^The rollback failed, and the stack accepts no update\. AuthorizerFunction: Rate exceeded$/,
    ['aws cloudformation continue-update-rollback --stack-name PetStore-production'],
  ],
  [
    'waits for a rollback',
    { status: 'UPDATE_ROLLBACK_IN_PROGRESS' },
    /^The stack is in UPDATE_ROLLBACK_IN_PROGRESS\.$/,
  ],
  [
    'points the aliases back if only code has changed',
    onlyCode,
    /^Only code has changed since aaaaaaa\.$/,
    updateAliases(6),
  ],
  [
    'does not go back to a release that was rolled back',
    {
      ...onlyCode,
      releases: [
        ['ddddddd 2 3', 30],
        ['aaaaaaa 2 3', day],
        ['bbbbbbb 2 3', 2 * day],
        ['aaaaaaa 2 3', 3 * day],
      ],
    },
    /^Only code has changed since aaaaaaa\.$/,
    updateAliases(6),
  ],
  [
    'deploys the earlier commit if more than code has changed',
    withDigests('999999999999 333333333333'),
    /^More than code has changed since aaaaaaa, which uses the same tables\.$/,
    checkOutGood,
  ],
  [
    'deploys a commit without the changes that git lacks',
    {
      ...onlyCode,
      releases: [
        ['bbbbbbb 999999999999 333333333333', 30],
        ['aaaaaaa-dirty 222222222222 333333333333', 3 * day],
      ],
    },
    /^More than code has changed since aaaaaaa-dirty, which uses the same tables\. Git lacks its uncommitted changes\.$/,
    checkOutGood,
  ],
  [
    'deploys the earlier commit if it has no versions of functions any more',
    { ...onlyCode, versions: [[7, 28]] },
    /^/,
    checkOutGood,
  ],
  [
    'knows no earlier release if there is one only',
    { releases: [good] },
    /^No earlier release is recorded\.$/,
  ],
])('%s', async (_title, world, says, commands) => {
  expect(await next(world)).toMatchObject({ says: expect.stringMatching(says), commands });
});

it.each([
  ['differ', withDigests('999999999999 999999999999'), /^The tables of aaaaaaa differ\./],
  [
    'may differ',
    {
      ...onlyCode,
      releases: [
        ['bbbbbbb', 30],
        ['aaaaaaa', 3 * day],
      ],
    },
    /^The tables of aaaaaaa may differ/,
  ],
] satisfies [string, World, RegExp][])(
  'names the table to use if the tables %s',
  async (_title, world, says) => {
    const outputs = { ApiKeysTableName: oldKeys };
    const tables = { [ownTable]: 12_000, [apiKeys]: 9, [oldKeys]: 3 };

    const found = await next({ ...world, outputs, tables });

    expect(found.says).toMatch(says);
    expect(found.steps.map(({ commands, text }) => commands ?? text)).toEqual([
      ['git fetch', 'git switch --create restored-bbbbbbb bbbbbbb', 'npm ci'],
      `set restoredTables of production in infra/settings/stages.ts to the table that is not used: apiKeys: ${apiKeys} ACTIVE, 9 items up to six hours ago, and commit`,
      ['npx cdk diff PetStore-production'],
      ['npx cdk deploy PetStore-production -c fixForward=true'],
      'merge this into main, and approve no deploy before',
    ]);
  },
);

it('concludes nothing from releases that it could not read', async () => {
  const { says } = await next({ ...onlyCode, ...failing('denied', 'GetParameterHistory') });

  expect(says).toBe('The releases could not be read, so the figures allow no conclusion.');
});

it('goes back to a chosen commit', async () => {
  const releases = [bad, good, ['ccccccc 222222222222 333333333333', 10 * day]] as const;

  expect((await next({ ...onlyCode, releases }, { to: 'ccc' })).commands).toEqual(updateAliases(5));
});

describe('then', () => {
  const revert = [
    'git fetch',
    'git switch --create revert-bbbbbbb origin/main',
    'git revert --no-edit -m 1 $(git rev-list --first-parent aaaaaaa..bbbbbbb) && git push origin revert-bbbbbbb',
  ];

  it('asks for a revert without canary once the aliases are back', async () => {
    const { says, steps } = await next({ ...onlyCode, live: 6 });

    expect(says).toMatch(/^The aliases point to aaaaaaa again/);
    expect(steps.map(({ commands, text }) => commands ?? text)).toEqual([
      revert,
      [
        'git fetch',
        "gh run cancel $(gh run list --workflow deploy.yml --commit $(git rev-parse origin/main) --json databaseId --jq '.[0].databaseId')",
        'gh workflow run deploy.yml -f fixForward=true',
      ],
      'after that deploy, run triage instead of this, which would then lead back to bbbbbbb',
    ]);
  });

  it('reverts nothing if the bad release had only changes that git lacks', async () => {
    const releases = [['aaaaaaa-dirty 222222222222 333333333333', 30], good] as const;

    const { steps } = await next({ ...onlyCode, releases, live: 6 });

    expect(steps).toEqual([{ text: expect.stringMatching(/git has none to revert$/) }]);
  });

  it('asks for a revert after a release was rolled back', async () => {
    const releases = [['aaaaaaa 222222222222 333333333333', 10], bad, good] as const;
    const failures = [failure('ReleasesAuthorizer', 'Deployment failed')];

    const { says, commands } = await next({ status: 'UPDATE_ROLLBACK_COMPLETE', releases, failures });

    expect(says).toMatch(
      /^bbbbbbb is not deployed any more: aaaaaaa is.*ReleasesAuthorizer: Deployment failed/,
    );
    expect(commands).toEqual(revert);
  });
});
