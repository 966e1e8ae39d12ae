import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { defaultStage } from '../../../bin/cli/default-address.ts';
import { spawnLocalApi } from '../../../bin/local/test/support/spawn-local-api.ts';
import { petStoreApp } from '../../../infra/pet-store-app.ts';
import { timeLimits } from '../../../shared/lambda/time-limits.ts';
import { leastSettings } from '../infra/stage-settings.ts';

declare module 'vitest' {
  interface ProvidedContext {
    baseUrl: string;
    apiKey: string;
    /** The assembly that the local API serves, and the file of its output. */
    localApi: { readonly assembly: string; readonly log: string };
  }
}

/** Points the end-to-end tests at BASE_URL with API_KEY, or else at a local API that it starts. */
export async function setup({ provide }: Pick<TestProject, 'provide'>) {
  const { API_KEY, BASE_URL, SMOKE } = process.env;
  if (BASE_URL) {
    console.log(`These tests ${SMOKE === undefined ? 'create pets at' : 'only read'} ${BASE_URL}.`);
    if (!API_KEY) throw new Error('BASE_URL needs API_KEY, a key of that stage.');
    if (API_KEY.startsWith('petstore_production_') && SMOKE === undefined) {
      throw new Error(
        'These tests leave pets behind, and API_KEY is a production key: npm run smoke only reads.',
      );
    }
    provide('baseUrl', BASE_URL);
    provide('apiKey', API_KEY);
    return undefined;
  }

  const assembly = mkdtempSync(join(tmpdir(), 'pet-store-test-'));
  const stages = { [defaultStage]: leastSettings };
  petStoreApp(stages, { outdir: assembly, builtinCloudFormationValidation: false }).synth();
  enlargeTimeLimits(assembly);
  const log = join(assembly, 'log');
  const api = await spawnLocalApi(['--assembly', assembly], { log });
  provide('baseUrl', api.baseUrl);
  provide('apiKey', api.apiKey);
  provide('localApi', { assembly, log });
  console.log(`The end-to-end tests call ${api.baseUrl}, which they have started.`);

  let isWanted = true;
  void api.local.exit().then(({ exitCode }) => {
    if (isWanted) console.error(`The local API has ended: ${exitCode ?? 'it was killed'}.`);
  });
  return async () => {
    isWanted = false;
    await api[Symbol.asyncDispose]();
    rmSync(assembly, { recursive: true });
  };
}

/** Lets functions take longer than on AWS: a busy machine may exceed the limits, which these tests are not about. */
function enlargeTimeLimits(assembly: string): void {
  const { silence, call, function: invocation } = timeLimits;
  const large = { silence: 5 * silence, call: 15 * call };
  const replace = (pattern: string, part: RegExp, text: string) => {
    for (const name of globSync(pattern, { cwd: assembly })) {
      const file = join(assembly, name);
      writeFileSync(file, readFileSync(file, 'utf8').replace(part, text));
    }
  };
  // Where a function calls no table, its bundle has no limits.
  replace('asset.*/index.mjs', /silence:\w+,call:\w+/, `silence:${large.silence},call:${large.call}`);
  replace('*.template.json', new RegExp(`(?<="Timeout": ?)${invocation / 1000}\\b`, 'g'), '60');
}
