import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { git, startRepository } from '../../../bin/cli/test/support/git.ts';
import { filesOfRepository, ProjectCopy } from '../../../bin/cli/test/support/project-copy.ts';
import { spawnLocalApi } from '../../../bin/local/test/support/spawn-local-api.ts';

export type LocalApi = Awaited<ReturnType<RepositoryCopy['startApi']>>;

/** A copy of the repository in a temporary directory, to change and run. */
export class RepositoryCopy extends ProjectCopy implements Disposable {
  constructor(folder?: string) {
    super(filesOfRepository(), folder);
  }

  /** Gives it packages of its own: tests compare their paths, which a link would change. */
  copyPackages(): void {
    const packages = this.path('node_modules');
    rmSync(packages);
    cpSync('node_modules', packages, { recursive: true, verbatimSymlinks: true });
  }

  startRepository = () => startRepository(this.directory);

  has = (file: string) => existsSync(this.path(file));

  read = (file: string) => readFileSync(this.path(file), 'utf8');

  write(file: string, text: string): void {
    mkdirSync(dirname(this.path(file)), { recursive: true });
    writeFileSync(this.path(file), text);
  }

  delete(...files: readonly string[]): void {
    for (const file of files) rmSync(this.path(file), { recursive: true });
  }

  insert = (file: string, before: string, text: string) => this.edit(file, before, text + before);

  changedFiles = () =>
    this.has('.git')
      ? git(this.directory, 'status', '--porcelain', '--untracked-files=all').split('\n').filter(Boolean)
      : [];

  /** Runs a script of the copy with Node, and returns its output. */
  run(args: readonly string[], env: Readonly<Record<string, string>> = {}): string {
    const { status, stdout, stderr } = this.#spawn(args, env);
    if (status !== 0) throw new Error(`${args.join(' ')} failed:\n${stdout}${stderr}`);
    return stdout;
  }

  /** Runs a script that may fail, and returns all that it prints. */
  outputOf(args: readonly string[]): string {
    const { stdout, stderr } = this.#spawn(args);
    return `${stdout}${stderr}`;
  }

  #spawn = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
    spawnSync(process.execPath, args, {
      cwd: this.directory,
      encoding: 'utf8',
      env: { ...process.env, NO_COLOR: '1', ...env },
    });

  runInShell(command: string): void {
    execFileSync('bash', ['--norc', '-c', command], { cwd: this.directory });
  }

  /** Runs a script that has to fail, because a step is missing, and to name the step. */
  expectFailure(args: readonly string[], says: string): void {
    assert.throws(() => this.run(args), new RegExp(says, 's'), `Nothing says: ${says}`);
  }

  /** Returns the template of a stage. */
  template(stage: string) {
    this.run(['bin/pet-store.ts'], { CDK_OUTDIR: 'cdk.out' });
    return JSON.parse(this.read(`cdk.out/PetStore-${stage}.template.json`));
  }

  async startApi() {
    const project = this.directory;
    const { baseUrl, apiKey, ...started } = await spawnLocalApi(['--pets', '0'], { project });
    return {
      ...started,
      environment: { BASE_URL: baseUrl, API_KEY: apiKey },
      call: async (method: string, path: string, body?: object, headers: object = {}) => {
        const sent = { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json', ...headers };
        const init = { method, headers: sent, ...(body && { body: JSON.stringify(body) }) };
        const text = await (await fetch(`${baseUrl}${path}`, init)).text();
        return text === '' ? undefined : JSON.parse(text);
      },
    };
  }

  [Symbol.dispose] = () => this.remove();
}
