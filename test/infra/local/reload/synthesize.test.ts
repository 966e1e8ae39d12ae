import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { synthesize } from '../../../../infra/local/reload/synthesize.ts';
import { temporaryDirectory } from '../../../support/e2e/temporary-file.ts';

/** Synthesizes with an app that never ends. */
function synthesizeEndlessly(options: { readonly timeoutMs?: number; readonly signal?: AbortSignal }) {
  const directory = temporaryDirectory(onTestFinished);
  writeFileSync(join(directory, 'cdk.json'), '{ "app": "node app.mjs" }');
  writeFileSync(join(directory, 'app.mjs'), 'for (;;);');
  const project = { root: directory, contextOf: () => ({}) };
  return synthesize(project, { stage: 'any', directory, ...options });
}

it('a synthesis ends when it has taken too long', async () => {
  await expect(synthesizeEndlessly({ timeoutMs: 500 })).rejects.toThrow(
    'The CDK app was ended after 0.5 s: it may be in an endless loop.',
  );
});

it('a synthesis ends when it is aborted', async () => {
  const signal = AbortSignal.timeout(100);

  await expect(synthesizeEndlessly({ signal })).rejects.toThrow('The operation was aborted');
});
