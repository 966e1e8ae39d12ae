import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { closeDataDirectory, openDataDirectory } from '../../infra/local/dynamodb/data-directory.ts';
import { createDynamodbServer } from '../../infra/local/dynamodb/dynamodb-server.ts';
import { EmbeddedDynamodb } from '../../infra/local/dynamodb/embedded-dynamodb.ts';
import { listenOnSocket } from '../../infra/local/http/unix-socket.ts';
import type { Legacy, ServeOptions } from './serve.ts';
import type { Ready, Start } from './version.ts';
import { watchSources } from './watch-sources.ts';

/**
 * Serves one version of the sources after another, each in a process of its own that shares the port. The tables and the
 * key stay; a version takes over when it is ready, and one that does not get that far leaves the last one up.
 */
export async function supervise(options: ServeOptions): Promise<void> {
  const { data: dataDirectory } = options;
  const data = dataDirectory === undefined ? undefined : await openDataDirectory(dataDirectory);
  const tables = new EmbeddedDynamodb(data?.tables);
  const socket = await listenOnSocket(createDynamodbServer(tables));
  const { url } = socket;
  let legacy: Legacy = { tables: { url, wasKilled: data?.wasKilled ?? false } };
  cluster.setupPrimary({ exec: fileURLToPath(new URL('./version.ts', import.meta.url)), args: [] });
  let spare = cluster.fork();
  let serving: Worker | undefined;
  let starting: Worker | undefined;
  let missed: string | undefined;
  let isClosing = false;

  function start(changed?: string): void {
    // The first version is let finish what it alone does.
    if (starting && !serving) {
      missed = changed;
      return;
    }
    starting?.process.kill();
    const startedAt = performance.now();
    const version = spare.isDead() ? cluster.fork() : spare;
    starting = version;
    version.send({ options, legacy } satisfies Start);
    spare = cluster.fork();
    version.once('message', async ({ apiKey }: Ready) => {
      const last = serving;
      [serving, starting] = [version, undefined];
      legacy = { tables: { url, wasKilled: false }, apiKey };
      if (last) {
        end(last);
        await Promise.race([once(last, 'message'), once(last, 'exit')]);
        console.error(`Reloaded in ${((performance.now() - startedAt) / 1000).toFixed(1)} s: ${changed}`);
      }
      version.send('take over');
      if (missed !== undefined && !last) start(missed);
    });
    version.once('exit', () => {
      if (version === serving) serving = undefined;
      if (isClosing || version !== starting) return;
      starting = undefined;
      if (legacy.apiKey === undefined) stop(1);
      else console.error(`Not reloaded: ${changed}. The last good version stays up.`);
    });
  }

  function end(version: Worker): void {
    version.process.kill();
    if (options.inspect === undefined) return;
    // A debugger may have stopped it, or hold it.
    const kill = () => version.process.kill('SIGKILL');
    version.once('message', kill);
    setTimeout(kill, 500).unref();
  }

  async function stop(exitCode: number): Promise<void> {
    if (isClosing) return;
    isClosing = true;
    const versions = Object.values(cluster.workers ?? {}).filter((version) => version !== undefined);
    const ended = Promise.all(versions.map((version) => once(version, 'exit')));
    versions.forEach(end);
    await ended;
    await socket.close();
    await tables.close();
    if (dataDirectory !== undefined && !legacy.tables.wasKilled) closeDataDirectory(dataDirectory);
    process.exit(exitCode);
  }

  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop(0));
  watchSources(start);
  start();
}
