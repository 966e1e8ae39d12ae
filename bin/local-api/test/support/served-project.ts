import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { expect, vi } from 'vitest';
import { CommandProcess } from '../../../cli/test/support/command-process.ts';
import { ProjectCopy } from '../../../cli/test/support/project-copy.ts';

const original = 'bin/local-api/test/support/live-project';

/** Saves a file as most editors do: whole, or not at all. */
function saveByRename(path: string, text: string): void {
  const unsaved = join(dirname(path), `.${basename(path)}`);
  writeFileSync(unsaved, text);
  renameSync(unsaved, path);
}

interface ServedProjectOptions {
  /** How functions, the app and the compiler run. */
  readonly run: 'in-this-process' | 'in-processes';
  /** For how long a mistake is not reported, because the next save may repair it. */
  readonly mistakeMs: number;
}

/** A copy of live-project/ whose saves are served. */
export class ServedProject extends ProjectCopy {
  readonly #args: readonly string[];
  #process: CommandProcess | undefined;
  #baseUrl = '';
  #checked = 0;
  #resets = 0;

  constructor({ run, mistakeMs }: ServedProjectOptions) {
    super(readdirSync(original), 'project', original);
    this.#args = [run, `${mistakeMs}`];
  }

  async start(): Promise<void> {
    const script = resolve('bin/local-api/test/support/serve-live-project.ts');
    this.#process = new CommandProcess(script, this.#args, { project: this.directory });
    [this.#baseUrl] = await this.#process.printed('stdout', /^http.*live$/m);
  }

  async stop(): Promise<void> {
    await this.#process?.exit('SIGTERM');
    this.remove();
  }

  async get(path: string): Promise<string> {
    return (await fetch(`${this.#baseUrl}/${path}`)).text();
  }

  override edit(file: string, from: string | RegExp, to: string, save = saveByRename): string {
    return super.edit(file, from, to, save);
  }

  /** Makes each synthesis wait until the gate is opened. */
  closeGate(): void {
    writeFileSync(this.path('gate'), '');
  }

  openGate(): void {
    rmSync(this.path('gate'), { force: true });
  }

  /** Saves, and waits until a synthesis has begun since. */
  async beginSynthesis(save: () => void): Promise<void> {
    const before = this.syntheses();
    save();
    await vi.waitFor(() => expect(this.syntheses()).toBeGreaterThan(before), waiting);
  }

  /** Returns how many have begun. */
  syntheses(): number {
    return readFileSync(this.path('syntheses'), 'utf8').length;
  }

  /** Restores all files, and waits until they are served. */
  async reset(): Promise<void> {
    this.openGate();
    const kept = filesOf(original);
    for (const file of filesOf(this.directory)) if (!kept.includes(file)) rmSync(this.path(file));
    for (const file of kept) {
      const text = readFileSync(join(original, file), 'utf8');
      const path = this.path(file);
      if (!existsSync(path) || readFileSync(path, 'utf8') !== text) saveByRename(path, text);
    }
    this.#resets += 1;
    // Everything reads it, so that all is served together, and it is the first of the files that a message names.
    saveByRename(this.path('all/resets.ts'), `process.env['RESETS'] = '${this.#resets}';\n`);
    await vi.waitFor(() => expect(this.printed()).toMatch(/Reloaded .*: all\/resets\.ts/), waiting);
    this.#markPrinted();
  }

  /** Returns what was printed since it was checked last, without what is printed in the background. */
  printed(): string {
    return this.#printedSinceCheck()
      .replaceAll(/^(\d+ type errors?:\n(.*: error TS.*\n)+|No type errors any more\.\n)/gm, '')
      .replaceAll(/(?<= in )[\d.]+(?= s: )/g, 'N');
  }

  /** Waits until exactly this is printed; a slow machine may announce any reload. */
  async prints(expected: string | RegExp): Promise<void> {
    const pattern = typeof expected === 'string' ? new RegExp(`^${RegExp.escape(expected)}\n$`) : expected;
    await vi.waitFor(() => expect(this.printed().replaceAll('Reloading…\n', '')).toMatch(pattern), waiting);
    this.#markPrinted();
  }

  /** Saves, and waits until a build has ended so, but not until that is served or reported. */
  async build(end: 'success' | 'failure', save: () => void): Promise<void> {
    const count = () => this.#process?.printedUntilNow('stdout').split(`Build: ${end}`).length ?? 0;
    const before = count();
    save();
    await vi.waitFor(() => expect(count()).toBeGreaterThan(before), waiting);
  }

  /** Waits until types are reported, which follows a reload. */
  async printsTypes(expected: string): Promise<void> {
    await vi.waitFor(() => expect(this.#printedSinceCheck()).toContain(expected), waiting);
  }

  #printedSinceCheck(): string {
    return this.#process?.printedUntilNow('stderr').slice(this.#checked) ?? '';
  }

  #markPrinted(): void {
    this.#checked = this.#process?.printedUntilNow('stderr').length ?? 0;
  }
}

const waiting = { timeout: 60_000, interval: 20 };

const filesOf = (directory: string): readonly string[] =>
  ['functions', 'infra', 'shared'].flatMap((folder) =>
    readdirSync(join(directory, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(join(directory, '/').length)),
  );
