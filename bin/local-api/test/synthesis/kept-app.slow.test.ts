import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { temporaryDirectory } from '../../../../test/support/e2e/temporary-file.ts';
import { watchProcesses } from '../../../cli/test/support/watch-processes.ts';
import { keepApp } from '../../synthesis/kept-app.ts';

const root = temporaryDirectory();
writeFileSync(join(root, 'app.mjs'), '');
const { running } = watchProcesses();
afterAll(() => {
  for (const pid of running()) process.kill(pid, 'SIGKILL');
});
const runCode = keepApp({ root: `${root}/`, app: 'app.mjs' });

/** Runs a version of the app, which is a statement that may write a value. */
const run = (statement: string, signal = AbortSignal.timeout(60_000)) => {
  const code = `import { writeFileSync } from 'node:fs';
    const write = (value) => writeFileSync('written', String(value));
    ${statement}`;
  return runCode(code)({ CDK_OUTDIR: root, CDK_CONTEXT_JSON: '{}' }, signal);
};

const written = () => readFileSync(join(root, 'written'), 'utf8');

async function writtenBy(statement: string): Promise<string> {
  expect(await run(statement)).toEqual({ exitCode: 0, printed: '' });
  return written();
}

const writeProcess = 'write(process.pid);';

describe('a kept app', () => {
  it('runs each version in the same process', async () => {
    const first = await writtenBy(writeProcess);

    expect(await writtenBy(writeProcess)).toBe(first);
  });

  it('gives each version the variables and the directory of the first', async () => {
    await run("process.env.OF_LAST = '1'; process.chdir('..');");

    const variables = await writtenBy('write([process.env.OF_LAST, process.env.CDK_CONTEXT_JSON]);');

    expect(variables).toBe(',{}');
  });

  it.each([
    ['has started', "setTimeout(() => write('late'), 20);"],
    ['has started at its end', "process.once('beforeExit', () => setTimeout(() => write('late'), 20));"],
  ])('waits for what a version %s', async (_title, statement) => {
    await run('');

    expect(await writtenBy(statement)).toBe('late');
  });

  it.each([
    [
      'throws',
      "throw new Error('It failed.');",
      { exitCode: 1, printed: expect.stringMatching(/^Error: It failed/) },
    ],
    ['exits', 'console.error("Bye."); process.exit(3);', { exitCode: 3, printed: 'Bye.\n' }],
    ['sets an exit code', 'process.exitCode = 4;', { exitCode: 4, printed: '' }],
    ['awaits nothing', 'await new Promise(() => {});', { exitCode: 13, printed: '' }],
  ])('runs the last good version in another process after one that %s', async (_title, statement, end) => {
    const first = await writtenBy(writeProcess);
    await run("console.error('A warning of an earlier version.');");
    await run(writeProcess);

    expect(await run(statement)).toEqual(end);

    // Empty while it is written.
    await vi.waitFor(() => expect(['', first]).not.toContain(written()), { timeout: 20_000 });
    const second = written();
    expect(await writtenBy(writeProcess)).toBe(second);
  });

  it('names the place of an error in its source', async () => {
    const mappings = Buffer.from(
      JSON.stringify({ version: 3, sources: ['of-app.ts'], names: [], mappings: ';;AAAA' }),
    );
    const map = `//# sourceMappingURL=data:application/json;base64,${mappings.toString('base64')}`;

    const { printed } = await run(`throw new Error('It failed.');\n${map}`);

    expect(printed).toMatch(/^Error: It failed\.\n {4}at .*of-app\.ts:1/);
  });

  it('runs the next version in another process if one hangs', async () => {
    const first = await writtenBy(writeProcess);

    expect(await run('for (;;);', AbortSignal.timeout(100))).toEqual({ exitCode: null, printed: '' });

    expect(await writtenBy(writeProcess)).not.toBe(first);
  });

  it('runs the next version in another process if one needs too much memory', async () => {
    const first = await writtenBy(writeProcess);

    await run('globalThis.kept = Buffer.alloc(100_000_000, 1);');

    expect(await writtenBy(writeProcess)).not.toBe(first);
  });
});
