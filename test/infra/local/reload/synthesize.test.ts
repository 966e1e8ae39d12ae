import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { synthesize } from '../../../../infra/local/reload/synthesize.ts';
import { temporaryDirectory } from '../../../support/e2e/temporary-file.ts';

it('a synthesis by an app that never ends is ended when it is aborted', async () => {
  const directory = temporaryDirectory(onTestFinished);
  writeFileSync(join(directory, 'app.mjs'), 'for (;;);');
  const project = { root: directory, app: 'app.mjs', contextOf: () => ({}) };
  const signal = AbortSignal.timeout(100);

  const synthesized = synthesize(project, { stage: 'any', directory, signal });

  await expect(synthesized).rejects.toThrow('The operation was aborted');
});
