import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { runApp } from '../../../../infra/local/reload/run-app.ts';
import { temporaryDirectory } from '../../../support/e2e/temporary-file.ts';

/** Returns an app that does something, after it has told its process id. */
function appThat(does: string) {
  const directory = temporaryDirectory(onTestFinished);
  const file = join(directory, 'app.mjs');
  const idFile = join(directory, 'id');
  const tellId = `import { writeFileSync } from 'node:fs';\nwriteFileSync(${JSON.stringify(idFile)}, \`\${process.pid}\`);\n`;
  writeFileSync(file, `${tellId}${does}`);
  /** Waits until the app runs: the file may still be empty. */
  async function started(): Promise<number> {
    await vi.waitFor(() => expect(readFileSync(idFile, 'utf8')).toMatch(/^\d+$/), 20_000);
    return Number(readFileSync(idFile, 'utf8'));
  }
  return { file, started };
}

const endlessLoop = '(function search() {\n  for (;;);\n})();';

afterEach(() => void vi.useRealTimers());

describe('the CDK app', () => {
  it('ends when the local API is killed, even in an endless loop', async () => {
    const app = appThat(endlessLoop);
    const module = pathToFileURL('infra/local/reload/run-app.ts').href;
    const script = `import { runApp } from '${module}'; await runApp([${JSON.stringify(app.file)}], { environment: {} });`;
    const localApi = spawn(process.execPath, ['--input-type=module', '--eval', script]);
    const id = await app.started();
    onTestFinished(() => {
      try {
        process.kill(id, 'SIGKILL');
      } catch {
        // It has ended.
      }
    });

    localApi.kill('SIGKILL');

    await vi.waitFor(() => expect(() => process.kill(id, 0)).toThrow('ESRCH'), 20_000);
  });

  it.each([
    [
      'an endless loop',
      endlessLoop,
      /^The CDK app has not ended after 30 s\. It is running:\n {4}at search \(.*app\.mjs:4:3\)\n {4}at .*app\.mjs:5:3$/,
    ],
    [
      'a timer',
      'setTimeout(() => undefined, 3_600_000);',
      /^The CDK app has not ended after 30 s\. It runs no code of the project\.$/,
    ],
  ])('is reported with its place in %s', async (_title, source, place) => {
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    using logged = vi.spyOn(console, 'error').mockReturnValue();
    const app = appThat(source);
    const ending = new AbortController();
    const { signal } = ending;
    const ended = expect(runApp([app.file], { environment: {}, signal })).rejects.toThrow('aborted');
    await app.started();

    vi.advanceTimersByTime(30_000);

    await vi.waitFor(() => expect(logged).toHaveBeenCalledOnce(), 20_000);
    expect(logged.mock.calls.join()).toMatch(place);
    ending.abort();
    await ended;
  });

  it.each([
    [
      'where the project calls what fails deep below',
      'const fail = (depth) => {\n  if (depth === 0) throw new Error("It failed.");\n  fail(depth - 1);\n};\n(function start() {\n  fail(60);\n})();',
      /^Error: It failed\.\n {4}at fail \(.*app\.mjs:4:26\)\n {4}at fail \(.*:5:3\)\n {4}… 59 more\n {4}at start \(.*:8:3\)\n {4}at .*app\.mjs:9:3$/,
    ],
    [
      'what is thrown in place of an error, without a value',
      'throw { reason: "secret" };',
      /^This was thrown, which is not an error: an object of the class Object with the fields: reason$/,
    ],
    [
      'the await that never ends',
      'await new Promise(() => undefined);',
      /^The app awaits a promise that nothing can settle any more\.\n {4}at .*app\.mjs:3:7$/,
    ],
    [
      'the line that exits',
      'process.exit(2);',
      /^Error: The app called process\.exit\(2\)\.\n {4}at .*app\.mjs:3:9$/,
    ],
    [
      'what it has printed',
      'console.error("It was printed.");\nthrow new Error("It failed.");',
      /^It was printed\.\nError: It failed\.\n {4}at .*app\.mjs:4:7$/,
    ],
    ['its exit code', 'process.exitCode = 3;', /^The CDK app ended with exit code 3\.$/],
  ])('fails with %s', async (_title, source, message) => {
    const app = appThat(source);

    await expect(runApp([app.file], { environment: {} })).rejects.toThrow(message);
  });
});
