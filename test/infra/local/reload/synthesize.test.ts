import { expect, it, onTestFinished } from 'vitest';
import { synthesize } from '../../../../infra/local/reload/synthesize.ts';
import { temporaryDirectory } from '../../../support/e2e/temporary-file.ts';

it('a synthesis ends when it is aborted', async () => {
  const synthesis = new AbortController();

  const synthesized = synthesize('staging', temporaryDirectory(onTestFinished), synthesis.signal);
  synthesis.abort();

  await expect(synthesized).rejects.toThrow('The operation was aborted');
});
