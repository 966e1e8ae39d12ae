import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';

/** A copy of the repository in a temporary directory, to change and run. */
export class RepositoryCopy implements Disposable {
  readonly directory = mkdtempSync(join(tmpdir(), 'pet-store-trial-'));

  constructor() {
    const files = git('.', 'ls-files', '--cached', '--others', '--exclude-standard');
    for (const file of files) cpSync(file, join(this.directory, file));
    symlinkSync(resolve('node_modules'), join(this.directory, 'node_modules'));
    git(this.directory, 'init', '--quiet');
    git(this.directory, 'add', '--all');
  }

  read = (file: string) => readFileSync(join(this.directory, file), 'utf8');

  write = (file: string, text: string) => writeFileSync(join(this.directory, file), text);

  /** Replaces a text that must be in a file. */
  edit(file: string, before: string, after: string): void {
    const text = this.read(file);
    if (!text.includes(before)) throw new Error(`${file} does not contain ${before}`);
    this.write(
      file,
      text.replace(before, () => after),
    );
  }

  changedFiles = () => git(this.directory, 'status', '--porcelain').filter((line) => !/^A {2}/.test(line));

  /** Runs a script of the copy with Node, and returns its output. */
  run(args: readonly string[], env: Readonly<Record<string, string>> = {}): string {
    const options = { cwd: this.directory, encoding: 'utf8', env: { ...process.env, ...env } } as const;
    const { status, stdout, stderr } = spawnSync(process.execPath, args, options);
    if (status !== 0) throw new Error(`${args.join(' ')} failed:\n${stdout}${stderr}`);
    return stdout;
  }

  /** Starts the copy's local API. */
  async startApi() {
    const args = ['bin/local.ts', '--port', '0', '--pets', '0', '--json'];
    const local = spawn(process.execPath, args, { cwd: this.directory, stdio: ['ignore', 'pipe', 'ignore'] });
    const [ready] = await once(createInterface(local.stdout), 'line');
    const { baseUrl, apiKey }: { baseUrl: string; apiKey: string } = JSON.parse(ready);
    const headers = { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' };
    return {
      environment: { BASE_URL: baseUrl, API_KEY: apiKey },
      call: async (method: string, path: string, body?: object) => {
        const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
        return JSON.parse(await (await fetch(`${baseUrl}${path}`, init)).text());
      },
      [Symbol.asyncDispose]: async () => {
        local.kill();
        await once(local, 'exit');
      },
    };
  }

  [Symbol.dispose](): void {
    rmSync(this.directory, { recursive: true });
  }
}

const git = (directory: string, ...args: readonly string[]) =>
  execFileSync('git', args, { cwd: directory, encoding: 'utf8' }).split('\n').filter(Boolean);
