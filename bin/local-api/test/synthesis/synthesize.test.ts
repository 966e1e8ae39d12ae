import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { temporaryDirectory } from '../../../../test/support/e2e/temporary-file.ts';
import { keepApp } from '../../synthesis/kept-app.ts';
import { synthesize } from '../../synthesis/synthesize.ts';

interface Options {
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  /** Whether the process is kept for the next version. */
  readonly isKept?: boolean;
}

/** Synthesizes with an app that is one statement. */
function synthesizeWith(statement: string, { isKept = false, ...options }: Options = {}) {
  const directory = realpathSync(temporaryDirectory(onTestFinished));
  writeFileSync(join(directory, 'cdk.json'), '{ "app": "node infra/app.mjs" }');
  mkdirSync(join(directory, 'infra'));
  writeFileSync(join(directory, 'infra/app.mjs'), statement);
  const project = { root: `${directory}/`, contextOf: () => ({}) };
  const kept = isKept && { run: keepApp({ ...project, app: 'infra/app.mjs' })(statement) };
  return synthesize(project, { stage: 'any', directory, ...options, ...kept });
}

it.each([
  ["throw new Error('no stack');", 'Error: no stack\n    at infra/app.mjs:1:7'],
  ["throw 'no stack';", 'This was thrown, which is not an error: no stack'],
  ['process.exit();', 'The CDK app ended before it wrote the stack.'],
  ['process.exit(3);', 'The CDK app ended with exit code 3.'],
  ['await new Promise(() => {});', 'The CDK app awaits a promise that nothing can settle any more.'],
])('a synthesis says how an app fails: %s', async (statement, message) => {
  const failed = await Promise.all(
    [false, true].map((isKept) => synthesizeWith(statement, { isKept }).catch((error: unknown) => error)),
  );

  expect(failed).toMatchObject([{ message }, { message: message.replace('.mjs:1:7', '.mjs?1:1:7') }]);
});

it.each([false, true])(
  'a synthesis ends when it has taken too long, in a kept process: %s',
  async (isKept) => {
    await expect(synthesizeWith('for (;;);', { timeoutMs: 500, isKept })).rejects.toThrow(
      'The CDK app was ended after 0.5 s: it may be in an endless loop.',
    );
  },
);

it.each([false, true])('a synthesis ends when it is aborted, in a kept process: %s', async (isKept) => {
  const signal = AbortSignal.timeout(100);

  await expect(synthesizeWith('for (;;);', { signal, isKept })).rejects.toThrow('The operation was aborted');
});
