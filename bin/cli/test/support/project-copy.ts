import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { git } from './git.ts';

const sources = ['bin', 'functions', 'infra', 'shared', 'cdk.json'];
const otherFiles = ['CHANGELOG.md', 'package.json', 'tsconfig.json'];

/** Returns the files of this repository, as they are in the working tree. */
export const filesOfRepository = (): readonly string[] =>
  git('.', 'ls-files', '--cached', '--others', '--exclude-standard').split('\n').filter(Boolean);

/** A copy of a project, by default this one, whose files a test may edit, in a folder of its own or one in that. */
export class ProjectCopy {
  readonly #own = realpathSync(mkdtempSync(join(tmpdir(), 'pet-store-project-')));
  readonly directory: string;

  constructor(names: readonly string[] = [...sources, ...otherFiles], folder = '', from = '.') {
    this.directory = join(this.#own, folder);
    for (const name of names) cpSync(join(from, name), this.path(name), { recursive: true });
    symlinkSync(resolve('node_modules'), this.path('node_modules'), 'junction');
  }

  path(file: string): string {
    return join(this.directory, file);
  }

  /** Replaces part of a file, writes it with `save`, and returns the original text. */
  edit(
    file: string,
    from: string | RegExp,
    to: string,
    save = writeFileSync as (path: string, text: string) => void,
  ): string {
    const path = this.path(file);
    const before = readFileSync(path, 'utf8');
    const after = before.replace(from, () => to);
    if (after === before) throw new Error(`${file} has no ${from}`);
    save(path, after);
    return before;
  }

  /** Removes the copy; a process that is just ending may still write to it. */
  remove(): void {
    rmSync(this.#own, { recursive: true, maxRetries: 10 });
  }
}
