import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import inspector from 'node:inspector';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { listen } from '../../infra/local/http/listen.ts';
import { startLocalApi } from '../../infra/local/local-api.ts';
import { liveDeployment } from '../../infra/local/reload/live-deployment.ts';
import { openSources } from '../../infra/local/reload/sources.ts';
import { synthesize } from '../../infra/local/reload/synthesize.ts';
import { readAssembly } from '../../infra/local/template/assembly.ts';
import { readDeployment } from '../../infra/local/template/deployment.ts';
import { projectRoot } from '../../infra/project-root.ts';
import { stackName } from '../../infra/settings/stage-names.ts';
import { errorText, messageText } from '../cli/create-command.ts';
import { openStage } from '../keys/stage.ts';
import { greeting } from './greeting.ts';
import { localApiKey } from './local-api-key.ts';
import { printableRecord, requestLogLine } from './request-log.ts';
import { createSamplePets, findPet } from './sample-pets.ts';

/** Git ignores it. */
const dataFolder = relative('', join(projectRoot, '.local-data'));

export interface ServeOptions {
  readonly port: number;
  readonly stage: string;
  readonly assembly?: string;
  /** Whether to delete what earlier starts have kept. */
  readonly fresh: boolean;
  /** By default 12. */
  readonly pets?: number;
  /** From 0 to 1. */
  readonly throttle?: number;
  /** Whether to stop at what changes no response but is not emulated. */
  readonly strict: boolean;
  readonly json: boolean;
  readonly watch: boolean;
  readonly inspect?: number;
}

export async function serve(options: ServeOptions): Promise<void> {
  const { port, stage, assembly, fresh, pets, throttle, strict, json, watch, inspect } = options;
  const isDebugged = inspect !== undefined;
  const stop = () => {
    if (!isDebugged) process.exit();
    // A process that exits or kills itself waits for the debugger, and for a function that it paused.
    process.emit('exit', 0);
    spawnSync(process.execPath, ['-e', `process.kill(${process.pid}, 'SIGKILL')`]);
  };
  // A terminal that is closed sends SIGHUP.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, stop);
  // `npm start | head` stops it, as with other programs.
  for (const output of [process.stdout, process.stderr]) output.on('error', stop);

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

  let isReady = false;
  const api = await startLocalApi(deployment, {
    port,
    // The file is only for one process at a time, as is a port, unless it is any free one.
    keepIn: port === 0 ? undefined : { path: join(dataFolder, `${stage}-${port}.ndjson`), isFresh: fresh },
    throttledShare: throttle,
    functions: { isDebugged, hasReadableLog: !json },
    onRequest: (record) => {
      if (!isReady) return;
      if (json) console.error(JSON.stringify(printableRecord(record)));
      else console.log(requestLogLine(record));
    },
  });
  const { journal } = api;
  const apiKey = await localApiKey(await openStage({ stage: 'local', port: api.port }), journal);
  api.serveReference(apiKey);
  await live?.follow(api.deploy);
  const { baseUrl, docsUrl } = api;
  const hasKeptItems = journal !== undefined && journal.kept.items.length > 0;
  if (hasKeptItems && pets !== undefined) {
    console.error('--pets has no effect: earlier starts have kept their tables. Add --fresh to delete them.');
  }
  const access = { baseUrl, apiKey };
  const petId = await (hasKeptItems ? findPet(access) : createSamplePets(pets ?? 12, access)).catch(
    (error: unknown) => {
      const what = hasKeptItems ? "The pets can't be listed" : "The sample pets can't be created";
      console.error(`${what}: ${messageText(errorText(error))}`);
      return undefined;
    },
  );
  const ready = { ...access, docsUrl };
  console.log(json ? JSON.stringify(ready) : greeting({ ...ready, petId, dataFile: journal?.path }));
  isReady = true;
  // An editor that starts the process opens the inspector itself.
  if (isDebugged && inspector.url() === undefined) inspector.open(inspect);
}
