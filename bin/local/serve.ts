import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { projectRoot } from '../../infra/project-root.ts';
import { stackName } from '../../infra/stack-names.ts';
import { listen } from '../local-api/http/listen.ts';
import { type SynthesisOptions, synthesize } from '../local-api/synthesis/synthesize.ts';
import { readAssembly } from '../local-api/template/assembly.ts';
import { type Deployment, readDeployment } from '../local-api/template/deployment.ts';
import type { ReadyOptions } from './ready-options.ts';
import { referenceFromSources } from './reference/reference-from-sources.ts';
import { stop } from './stop.ts';
import { project } from './this-project.ts';

/** Git ignores it. */
const dataFolder = relative('', join(projectRoot, '.local-data'));

export interface ServeOptions extends ReadyOptions {
  readonly stage: string;
  readonly assembly?: string;
  /** Whether to stop at what changes no response but is not emulated. */
  readonly strict: boolean;
  readonly watch: boolean;
  readonly inspect?: boolean;
}

export async function serve(options: ServeOptions): Promise<void> {
  const { port, stage, assembly, strict, watch, inspect: isDebugged = false } = options;
  // Reports a taken port before the stack is synthesized, which takes seconds.
  const probe = createServer();
  await listen(probe, port);
  await probe[Symbol.asyncDispose]();

  const directory = mkdtempSync(join(tmpdir(), 'pet-store-'));
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }));
  let reported = '';
  const readFrom = (from: string) => {
    const deployment = readDeployment(readAssembly(from, stackName(stage)), project);
    const notEmulated = deployment.notEmulated.join(', ');
    if (strict && notEmulated !== '') throw new Error(`Not emulated: ${notEmulated}. --strict forbids it.`);
    if (notEmulated !== '' && notEmulated !== reported) console.error(`Not emulated: ${notEmulated}`);
    reported = notEmulated;
    return deployment;
  };
  const synthesizeStage = async (ofSources: Partial<SynthesisOptions> = {}) => {
    await synthesize(project, { stage, directory, ...ofSources });
    return readFrom(directory);
  };
  // Loaded while the stack is synthesized, in another process.
  const loading = import('./ready-api.ts');
  const start = async (deployment: Deployment) =>
    (await loading).startReadyApi(deployment, {
      ...options,
      dataFile: join(dataFolder, `${stage}-${port}.sqlite`),
      isDebugged,
      renderReference: referenceFromSources(),
    });

  if (watch) {
    // What only this needs is loaded only here.
    const { serveSaves } = await import('../local-api/reload/serve-saves.ts');
    const { standIns } = await import('../local-api/synthesis/stand-ins.ts');
    const { keepApp } = await import('../local-api/synthesis/kept-app.ts');
    const run = keepApp(project);
    return serveSaves(project, {
      directory,
      synthesize: (app, signal) =>
        synthesizeStage({ run: run(app), bundles: standIns(project.bundledFiles(), directory), signal }),
      start: (first) => start(first).catch(stop),
    });
  }
  await start(assembly === undefined ? await synthesizeStage().catch(explain) : readFrom(assembly));

  /** Throws the mistakes that esbuild finds, or else the error. */
  async function explain(error: unknown): Promise<never> {
    const { sourceBuilder } = await import('../local-api/reload/build-sources.ts');
    await sourceBuilder(project, directory)([]);
    throw error;
  }
}
