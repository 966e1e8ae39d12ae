import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { temporaryFile } from '../support/e2e/temporary-file.ts';

/** Runs this Node where npm's own Node is a newer one, which prints its arguments. */
async function run(args: readonly string[], version: string): Promise<string> {
  const newerNode = temporaryFile('node');
  writeFileSync(newerNode, '#!/bin/sh\necho "newer: $*"\n', { mode: 0o700 });
  const env = {
    npm_node_execpath: newerNode,
    npm_config_user_agent: `npm/12.0.0 node/v${version} linux x64`,
  };
  return (await promisify(execFile)(process.execPath, args, { env })).stdout;
}

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
});
