import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import inspector from 'node:inspector';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { listen } from '../../infra/local/http/listen.ts';
import { referenceFromSources } from '../../infra/local/reference-from-sources.ts';
import { liveDeployment } from '../../infra/local/reload/live-deployment.ts';
import { openSources } from '../../infra/local/reload/sources.ts';
import { synthesize } from '../../infra/local/reload/synthesize.ts';
import { readAssembly } from '../../infra/local/template/assembly.ts';
import { readDeployment } from '../../infra/local/template/deployment.ts';
import { projectRoot } from '../../infra/project-root.ts';
import { stackName } from '../../infra/settings/stage-names.ts';
import { type ReadyOptions, startReadyApi } from './ready-api.ts';
import { stopOnSignals } from './stop-on-signals.ts';

/** Git ignores it. */
const dataFolder = relative('', join(projectRoot, '.local-data'));

export interface ServeOptions extends ReadyOptions {
  readonly stage: string;
  readonly assembly?: string;
  /** Whether to stop at what changes no response but is not emulated. */
  readonly strict: boolean;
  readonly watch: boolean;
  readonly inspect?: number;
}

export async function serve(options: ServeOptions): Promise<void> {
  const { port, stage, assembly, strict, watch, inspect } = options;
  const isDebugged = inspect !== undefined;
  stopOnSignals(() => {
    if (!isDebugged) process.exit();
    // A process that exits or kills itself waits for the debugger, and for a function that it paused.
    process.emit('exit', 0);
    spawnSync(process.execPath, ['-e', `process.kill(${process.pid}, 'SIGKILL')`]);
  });

  // Reports a taken port before the stack is synthesized, which takes seconds.
  const probe = createServer();
  await listen(probe, port);
  await probe[Symbol.asyncDispose]();

  const directory = mkdtempSync(join(tmpdir(), 'pet-store-'));
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }));
  let reported = '';
  const read = (from: string) => {
    const deployment = readDeployment(readAssembly(from, stackName(stage)));
    const notEmulated = deployment.notEmulated.join(', ');
    if (strict && notEmulated !== '') throw new Error(`Not emulated: ${notEmulated}. --strict forbids it.`);
    if (notEmulated !== '' && notEmulated !== reported) console.error(`Not emulated: ${notEmulated}`);
    reported = notEmulated;
    return deployment;
  };
  const synthesizeStage = async (signal?: AbortSignal) => {
    await synthesize(stage, directory, signal);
    return read(directory);
  };
  const sources = openSources(directory);
  const synthesizeOnce = () =>
    synthesizeStage().catch(async (error: unknown) => {
      throw await sources.explain(error);
    });
  const live = watch ? await liveDeployment(sources, synthesizeStage) : undefined;
  const deployment = live?.deployment ?? (assembly ? read(assembly) : await synthesizeOnce());

  await startReadyApi(deployment, {
    ...options,
    dataFile: join(dataFolder, `${stage}-${port}.ndjson`),
    isDebugged,
    renderReference: referenceFromSources(),
    onStart: (api) => live?.follow(api),
  });
  // An editor that starts the process opens the inspector itself.
  if (isDebugged && inspector.url() === undefined) inspector.open(inspect);
}
