import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { temporaryFile } from '../../support/e2e/temporary-file.ts';
import { trials } from './all-trials.ts';
import { RepositoryCopy } from './repository-copy.ts';
import { leaveOutEach } from './start-your-own/leave-out.ts';

/** A copy in which a trial changes files, but runs nothing: its commands and tests would take hours. */
class Steps extends RepositoryCopy {
  readonly #written = new Set<string>();

  override edit(...args: Parameters<RepositoryCopy['edit']>): string {
    this.#written.add(args[0]);
    return super.edit(...args);
  }

  override write(file: string, text: string): void {
    this.#written.add(file);
    super.write(file, text);
  }

  override runInShell(command: string): void {
    if (!this.has('.git')) this.startRepository();
    super.runInShell(command);
  }

  override run(): string {
    return '';
  }

  override outputOf(): string {
    return '';
  }

  override expectFailure(): void {
    // Runs nothing either.
  }

  sources = () =>
    [...this.#written]
      .filter((file) => file.endsWith('.ts') && this.has(file))
      .map((file) => this.path(file));
}

it('the steps of each trial fit the files as they are', () => {
  vi.spyOn(console, 'log').mockReturnValue();
  const sources = Object.entries(trials).flatMap(([name, trial]) => {
    // What each does alone, the trial bare does one after the other.
    if (name in leaveOutEach) return [];

    const copy = new Steps(trial.folder ?? name);
    onTestFinished(() => copy.remove());

    expect.soft(() => trial.follow(copy), name).not.toThrow();
    return copy.sources();
  });

  expect(typeErrors(sources)).toBe('');
}, 300_000);

/** Checks the types of what the trials wrote in one run, because loading the packages' types takes longest. */
function typeErrors(sources: readonly string[]): string {
  const declarations = ['bin/**/*.d.ts', 'test/support/setup/*.ts'].map((pattern) => resolve(pattern));
  const project = temporaryFile('tsconfig.json');
  const configuration = {
    extends: resolve('tsconfig.json'),
    compilerOptions: { typeRoots: [resolve('node_modules/@types')] },
    files: sources,
    include: declarations,
  };
  writeFileSync(project, JSON.stringify(configuration));
  const tsc = ['node_modules/typescript/bin/tsc', '--singleThreaded', '--project', project];
  return spawnSync(process.execPath, tsc, { encoding: 'utf8' }).stdout;
}
