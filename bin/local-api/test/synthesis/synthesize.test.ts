import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { temporaryDirectory } from '../../../../test/support/e2e/temporary-file.ts';
import { type SynthesisOptions, synthesize } from '../../synthesis/synthesize.ts';

/** Synthesizes with an app that is one statement. */
function synthesizeWith(statement: string, options: Pick<SynthesisOptions, 'timeoutMs' | 'signal'> = {}) {
  const directory = realpathSync(temporaryDirectory(onTestFinished));
  writeFileSync(join(directory, 'cdk.json'), '{ "app": "node infra/app.mjs" }');
  mkdirSync(join(directory, 'infra'));
  writeFileSync(join(directory, 'infra/app.mjs'), statement);
  const project = { root: `${directory}/`, contextOf: () => ({}) };
  return synthesize(project, { stage: 'any', directory, ...options });
}

it.each([
  ["throw new Error('no stack');", 'Error: no stack\n    at infra/app.mjs:1:7'],
  ["throw 'no stack';", 'This was thrown, which is not an error: no stack'],
  ['process.exit();', 'The CDK app ended before it wrote the stack.'],
  ['process.exit(3);', 'The CDK app ended with exit code 3.'],
  ['await new Promise(() => {});', 'The CDK app awaits a promise that nothing can settle any more.'],
])('a synthesis says how an app fails: %s', async (statement, message) => {
  await expect(synthesizeWith(statement)).rejects.toMatchObject({ message });
});

it.each([
  ['', {}],
  [', although nobody aborts it', { signal: new AbortController().signal }],
])('a synthesis ends when it has taken too long%s', async (_title, options) => {
  await expect(synthesizeWith('for (;;);', { timeoutMs: 500, ...options })).rejects.toThrow(
    'The CDK app was ended after 0.5 s: it may be in an endless loop.',
  );
});

it('a synthesis ends when it is aborted', async () => {
  const signal = AbortSignal.timeout(100);

  await expect(synthesizeWith('for (;;);', { signal })).rejects.toThrow('The operation was aborted');
});
