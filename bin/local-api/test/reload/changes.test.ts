import { describe, expect, it } from 'vitest';
import { changesWithStack, type SourceBuild, withChanges } from '../../reload/changes.ts';

const project = { app: 'infra/app.ts', readOnDemand: /\.md$/ };

/** A build of what reads these files. */
const buildOf = (inputs: Readonly<Record<string, readonly string[]>>, version = 1): SourceBuild => ({
  app: `app ${version}`,
  bundles: new Map(
    Object.keys(inputs).flatMap((reader) => (reader === project.app ? [] : [[reader, `${version}`]])),
  ),
  inputs: new Map(Object.entries(inputs)),
});

const inputs = {
  'infra/app.ts': ['infra/app.ts', 'shared/names.ts'],
  'functions/a.ts': ['functions/a.ts', 'shared/names.ts', 'shared/words.ts'],
  'functions/b.ts': ['functions/b.ts', 'shared/words.ts', 'shared/times.ts'],
  'functions/c.ts': ['functions/c.ts', 'shared/colors.ts'],
};

describe('changesWithStack', () => {
  it.each([
    ['none that only functions read', ['functions/a.ts', 'shared/words.ts'], []],
    ['those that the app reads', ['shared/names.ts', 'shared/colors.ts'], ['shared/names.ts']],
    [
      'those that a function reads with one',
      ['shared/names.ts', 'functions/a.ts'],
      ['shared/names.ts', 'functions/a.ts'],
    ],
    [
      'those that are connected with one by several functions',
      ['functions/c.ts', 'shared/times.ts', 'shared/words.ts', 'shared/names.ts'],
      ['shared/names.ts', 'shared/words.ts', 'shared/times.ts'],
    ],
    ['a file that is no module', ['infra/data.json', 'functions/b.ts'], ['infra/data.json']],
    ['a handler that is new', ['functions/d.ts', 'functions/b.ts'], ['functions/d.ts']],
  ])('returns %s', (_title, changes, expected) => {
    const served = buildOf(inputs);
    const built = buildOf({ ...inputs, 'functions/d.ts': ['functions/d.ts'] });

    const batches = changes.map((file) => [file]);
    expect(changesWithStack(batches, project, [served, built])).toEqual(expected);
  });

  it('returns those that were saved together with one', () => {
    const batches = [['functions/c.ts', 'infra/app.ts'], ['functions/b.ts']];

    expect(changesWithStack(batches, project, [buildOf(inputs)])).toEqual(['infra/app.ts', 'functions/c.ts']);
  });
});

describe('withChanges', () => {
  it('takes what reads a change from the newer build', () => {
    const next = withChanges(buildOf(inputs), ['shared/times.ts'], buildOf(inputs, 2));

    expect([...next.bundles]).toEqual([
      ['functions/a.ts', '1'],
      ['functions/b.ts', '2'],
      ['functions/c.ts', '1'],
    ]);
  });

  it('drops a handler that is gone', () => {
    const { 'functions/c.ts': _gone, ...others } = inputs;

    const next = withChanges(buildOf(inputs), ['functions/c.ts'], buildOf(others, 2));

    expect([...next.bundles.keys()]).toEqual(['functions/a.ts', 'functions/b.ts']);
    expect([...next.inputs.keys()]).not.toContain('functions/c.ts');
  });
});
