import assert from 'node:assert/strict';
import { execFile, fork } from 'node:child_process';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { temporaryFile } from '../../../test/support/e2e/temporary-file.ts';

/** Lets a process believe that it runs on Node 20. */
const asNode20 = `data:text/javascript,Object.defineProperty(process, 'versions', { value: { node: '20.19.0' } })`;

/** Runs a script on this Node, which believes that it is Node 20. */
async function runOnNode20(...args: readonly string[]) {
  const result = promisify(execFile)(process.execPath, ['--import', asNode20, ...args]);
  const { stdout, stderr } = await result.catch((error: { stdout: string; stderr: string }) => error);
  return stdout + stderr;
}

/** Returns a copy of `node-24.mjs` in a project whose node_modules has a package with this Node. */
function copyBeside(name?: string, node?: string): string {
  const project = dirname(temporaryFile('project'));
  const bin = join(project, 'bin');
  mkdirSync(bin);
  if (name) mkdirSync(join(project, 'node_modules', name, 'bin'), { recursive: true });
  if (node) writeFileSync(join(project, 'node_modules', `${name}/bin/node`), node, { mode: 0o700 });
  copyFileSync('bin/node-24.mjs', join(bin, 'node-24.mjs'));
  return join(bin, 'node-24.mjs');
}

it('node-24.mjs prints its usage without a script', async () => {
  expect(await runOnNode20('bin/node-24.mjs')).toBe('Usage: node bin/node-24.mjs <script> [arguments]\n');
});

it('node-24.mjs says that npm ci installed no Node', async () => {
  expect(await runOnNode20(copyBeside(), 'bin/keys/keys.ts')).toMatch(
    /^error: This is Node 20\.19\.0, and node_modules has no Node 24 for \S+: run npm ci here, without /,
  );
});

it.each([
  ['that a script imports', 'script.mjs'],
  ['whose script it runs', 'node_modules/missing-package/part.mjs'],
])('node-24.mjs says how to install a package that is missing: one %s', async (_title, script) => {
  const node24 = copyBeside();
  const cwd = dirname(dirname(node24));
  writeFileSync(join(cwd, 'script.mjs'), "import 'missing-package/part';\n");
  const run = promisify(execFile)(process.execPath, [node24, script], { cwd });

  const stderr =
    'error: node_modules has no missing-package: run npm ci --include=dev. If NODE_ENV is production, npm ci alone leaves it out.\n';
  await expect(run).rejects.toMatchObject({ code: 1, stdout: '', stderr });
});

it.each([
  ['import "./missing.mjs";', 'ERR_MODULE_NOT_FOUND'],
  ['throw undefined;', 'undefined'],
])('node-24.mjs leaves other errors as they are: %s', async (source, message) => {
  const script = temporaryFile('script.mjs');
  writeFileSync(script, source);
  const run = promisify(execFile)(process.execPath, [copyBeside(), script]);

  await expect(run).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining(message) });
});

it('a script that an editor runs on an older Node says what to choose', async () => {
  const imported = new URL('../../node-24.mjs', import.meta.url).href;
  const script = temporaryFile('editor.mjs');
  writeFileSync(script, `await import(${JSON.stringify(imported)});`);
  const editor = fork(script, { execArgv: ['--import', asNode20], stdio: 'pipe' });

  assert.ok(editor.stderr);
  expect(await text(editor.stderr)).toContain(
    'Error: The tests need Node 24 or later, and this is Node 20.19.0: choose Node 24 in the editor. In VS Code, set vitest.nodeExecutable to ',
  );
});

// Windows runs no script in place of Node, and macOS has packages of other names.
describe.runIf(process.platform === 'linux')('node-24.mjs, on an older Node than 24', () => {
  const own = `node-linux-${process.arch}`;
  const installed = '#!/bin/sh\necho "24: $*"\n';

  it('runs a script with its arguments on the one that npm ci installed', async () => {
    const node24 = copyBeside(own, installed);

    expect(await runOnNode20(node24, 'bin/keys/keys.ts', '--help')).toBe('24: bin/keys/keys.ts --help\n');
  });

  it('restarts a script that imports it', async () => {
    const script = temporaryFile('script.mjs');
    const imported = JSON.stringify(pathToFileURL(copyBeside(own, installed)));
    writeFileSync(script, `import ${imported};\nconsole.log('older');\n`);

    expect(await runOnNode20(script, '--flag')).toBe(`24: ${script} --flag\n`);
  });

  it('names glibc where the installed one cannot be started', async () => {
    const node24 = copyBeside(own, '#!/nowhere/ld.so\n');

    expect(await runOnNode20(node24, 'bin/keys/keys.ts')).toMatch(
      /^error: .+ can't be started \(ENOENT\)\. It needs glibc, which Alpine lacks: there, install Node 24 yourself\.\n$/,
    );
  });
});
