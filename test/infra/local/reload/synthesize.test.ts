import { expect, it } from 'vitest';
import { synthesize } from '../../../../infra/local/reload/synthesize.ts';
import { temporaryFile } from '../../../support/e2e/temporary-file.ts';

it('a synthesis that was aborted before it began starts no process', async () => {
  await expect(synthesize('staging', temporaryFile('cdk.out'), AbortSignal.abort())).rejects.toThrow(
    'aborted',
  );
});

it('a synthesis ends when it is aborted', async () => {
  const synthesis = new AbortController();

  const synthesized = synthesize('staging', temporaryFile('cdk.out'), synthesis.signal);
  synthesis.abort();

  await expect(synthesized).rejects.toThrow('The CDK app failed.');
});
