import { describe, expect, it } from 'vitest';
import { readStage } from '../../../bin/stage/read-stage.ts';
import { rollback } from '../../../bin/stage/rollback.ts';
import { productionSettings } from '../../support/infra/stage-settings.ts';
import { apiKeys, fakeStage, now, oldKeys, pets, type World } from '../../support/stage/fake-stage.ts';

const reportOf = (world: World, options: { to?: string } = {}) =>
  readStage(rollback, 'production', options, { ...fakeStage(world), now, settings: productionSettings });

/** The commands of the next step. */
const nextOf = async (world: World, options?: { to?: string }) =>
  (await reportOf(world, options)).findings[0]?.next[0]?.commands;

/** The conclusion, and its steps. */
const findingOf = async (world: World, options?: { to?: string }) => {
  const [finding] = (await reportOf(world, options)).findings;
  return { conclusion: finding?.says, steps: finding?.next ?? [] };
};

const good = 'aaaaaaa';
const bad = 'bbbbbbb';
const day = 24 * 60;
const versions: World['versions'] = [
  [5, 10 * day],
  [6, 3 * day],
  [7, 28],
];

/** Only the code of functions has changed since the good release. */
const onlyCode: World = {
  releases: [
    [`${bad} 222222222222 333333333333`, 30],
    [`${good} 222222222222 333333333333`, 3 * day],
  ],
  versions,
  live: 7,
};
const withDigests = (template: string, tables: string): World => ({
  ...onlyCode,
  releases: [
    [`${bad} ${template} ${tables}`, 30],
    [`${good} 222222222222 333333333333`, 3 * day],
  ],
});

const updateAlias = (name: string, version: number) =>
  `aws lambda update-alias --function-name PetStore-production-${name}Function1A2B --name live --function-version ${version} --routing-config AdditionalVersionWeights={}`;

it('stops the deployments of a canary', async () => {
  expect(await nextOf({ status: 'UPDATE_IN_PROGRESS', deployments: ['d-1', 'd-2'] })).toEqual([
    'aws deploy stop-deployment --auto-rollback-enabled --deployment-id d-1',
    'aws deploy stop-deployment --auto-rollback-enabled --deployment-id d-2',
  ]);
});

it('cancels an update that hangs', async () => {
  expect(await nextOf({ status: 'UPDATE_IN_PROGRESS' })).toEqual([
    'aws cloudformation cancel-update-stack --stack-name PetStore-production',
  ]);
});

it('says why a rollback failed', async () => {
  const failures = [['ListPets', 'Rate exceeded']] as const;

  const { conclusion, steps } = await findingOf({ status: 'UPDATE_ROLLBACK_FAILED', failures });

  expect(conclusion).toBe('The rollback failed, and the stack accepts no update. ListPets: Rate exceeded');
  expect(steps[0]?.commands).toEqual([
    'aws cloudformation continue-update-rollback --stack-name PetStore-production',
  ]);
});

it('waits for a rollback', async () => {
  expect(await findingOf({ status: 'UPDATE_ROLLBACK_IN_PROGRESS' })).toMatchObject({
    conclusion: 'The stack is in UPDATE_ROLLBACK_IN_PROGRESS.',
  });
});

describe('a release that serves', () => {
  it('goes back by aliases if only code has changed', async () => {
    const { steps } = await findingOf(onlyCode);

    expect(steps[0]).toMatchObject({
      role: 'on-call',
      commands: ['Authorizer', 'ListPets', 'CreatePet', 'GetPet'].map((name) => updateAlias(name, 6)),
    });
    expect(steps[1]?.text).toBe('see how to revert the commit: until then, nobody deploys');
  });

  it('says what follows once the aliases are back', async () => {
    const { conclusion, steps } = await findingOf({ ...onlyCode, live: 6 });

    expect(conclusion).toMatch(/^The aliases point to aaaaaaa again/);
    expect(steps.map(({ commands }) => commands)).toEqual([
      ['git fetch', 'git switch --create revert origin/main', `git revert --no-edit ${good}..${bad}`],
      ['gh workflow run deploy.yml -f fixForward=true'],
    ]);
  });

  it('deploys the earlier commit if more has changed', async () => {
    const { steps } = await findingOf(withDigests('999999999999', '333333333333'));

    expect(steps[0]).toMatchObject({
      role: 'deploy',
      commands: [
        'git fetch',
        `git switch --detach ${good}`,
        'npm ci',
        'npx cdk deploy PetStore-production -c fixForward=true',
        'git switch main',
      ],
    });
  });

  it('deploys the earlier commit if it has no versions of functions any more', async () => {
    expect(await nextOf({ ...onlyCode, versions: [[7, 28]] })).toContain(
      'npx cdk deploy PetStore-production -c fixForward=true',
    );
  });

  it.each([
    ['have changed', withDigests('999999999999', '999999999999'), /^The tables of aaaaaaa differ\./],
    [
      'are unknown',
      {
        ...onlyCode,
        releases: [
          [bad, 30],
          [good, 3 * day],
        ],
      },
      /^The tables of aaaaaaa may differ/,
    ],
  ] satisfies [string, World, RegExp][])(
    'names the table to use if the tables %s',
    async (_title, world, conclusion) => {
      const outputs = { ApiKeysTableName: oldKeys };
      const tables = { [pets]: 12_000, [apiKeys]: 9, [oldKeys]: 3 };

      const { conclusion: says, steps } = await findingOf({ ...world, outputs, tables });

      expect(says).toMatch(conclusion);
      expect(steps).toEqual([
        {
          role: 'deploy',
          text: `on main, set restoredTables of production in infra/settings/stages.ts to the table that is not used: apiKeys: '${apiKeys}' (9 items). Deploy with fixForward if this creates, destroys and replaces no table`,
          commands: ['npx cdk diff PetStore-production'],
        },
      ]);
    },
  );

  it('does not deploy a commit whose changes are in no commit', async () => {
    const releases = [
      [`${bad} 999999999999 333333333333`, 30],
      [`${good}-dirty 222222222222 333333333333`, 3 * day],
    ] as const;

    expect(await findingOf({ ...onlyCode, releases })).toMatchObject({
      conclusion: 'aaaaaaa-dirty cannot be deployed again: its changes are in no commit.',
    });
  });

  it('goes back to a chosen commit', async () => {
    const releases = [...(onlyCode.releases ?? []), ['ccccccc 222222222222 333333333333', 10 * day]] as const;

    expect(await nextOf({ ...onlyCode, releases }, { to: 'ccc' })).toContain(updateAlias('GetPet', 5));
  });

  it('knows no earlier release if there is one only', async () => {
    expect(await findingOf({ releases: [[good, 30]] })).toMatchObject({
      conclusion: 'No earlier release is recorded.',
    });
  });
});

it('asks for a revert after a release was rolled back', async () => {
  const releases = [
    [`${good} 2 3`, 10],
    [`${bad} 2 3`, 30],
    [`${good} 2 3`, 3 * day],
  ] as const;
  const failures = [['ReleasesListPets', 'Deployment failed']] as const;

  const { conclusion, steps } = await findingOf({ status: 'UPDATE_ROLLBACK_COMPLETE', releases, failures });

  expect(conclusion).toMatch(
    /^bbbbbbb is not deployed any more: aaaaaaa is.*ReleasesListPets: Deployment failed/,
  );
  expect(steps[0]?.commands?.[2]).toBe(`git revert --no-edit ${good}..${bad}`);
});

it('does not go back to a release that was rolled back', async () => {
  const releases = [
    ['ddddddd 2 3', 30],
    [`${good} 2 3`, day],
    [`${bad} 2 3`, 2 * day],
    [`${good} 2 3`, 3 * day],
  ] as const;

  expect((await findingOf({ ...onlyCode, releases })).conclusion).toMatch(
    /^Only code has changed since aaaaaaa\.$/,
  );
});
