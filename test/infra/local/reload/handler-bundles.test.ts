import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { stop } from 'esbuild';
import { expect, it, onTestFinished } from 'vitest';
import { handlerBundles } from '../../../../infra/local/reload/handler-bundles.ts';
import { temporaryDirectory } from '../../../support/e2e/temporary-file.ts';
import { stubDeployment, stubFunction } from '../../../support/infra/stub-deployment.ts';

it('the bundles are valid modules in a directory with a space or an apostrophe', async () => {
  onTestFinished(() => stop());
  const directory = join(temporaryDirectory(onTestFinished), "pet's store");
  mkdirSync(directory);
  const bundles = handlerBundles(directory, false);
  const getPet = { ...stubFunction('getPet'), codeDirectory: 'functions/get-pet.ts' };

  await bundles.build();
  const [built] = bundles.latest({ ...stubDeployment, functions: [getPet] }).functions;

  const modulePath = join(String(built?.codeDirectory), 'index.mjs');
  expect(String(execFileSync(process.execPath, ['--check', modulePath]))).toBe('');
});
