import inspector from 'node:inspector';
import type { RequestRecord } from '../../infra/local/http-server.ts';
import { type OpenTables, startLocalApi } from '../../infra/local/local-api.ts';
import { synthesize } from '../../infra/local/template/synthesize.ts';
import type { StageName } from '../../infra/settings/stage-names.ts';
import { greeting } from './greeting.ts';
import { localKey } from './local-key.ts';
import { requestLogLine } from './request-log.ts';
import { createSamplePets } from './sample-pets.ts';

/** What the command line asks for. */
export interface ServeOptions {
  readonly port: number;
  readonly stage: StageName;
  readonly data?: string;
  readonly pets: number;
  readonly json: boolean;
  /** The port for a debugger. */
  readonly inspect?: number;
}

/** What one version of the local API leaves to the next. */
export interface Legacy {
  readonly tables: OpenTables;
  /** The key that the first version has issued. */
  readonly apiKey?: string | undefined;
}

/** A version of the local API, seen from within. */
export interface Version {
  readonly legacy: Legacy;
  /** Takes over from the last version, if there is one; settles when that takes no more requests. */
  ready(apiKey: string): Promise<void>;
  /** Says that it takes no more requests. */
  closing(): void;
}

const signals = ['SIGINT', 'SIGTERM'] as const;

/** Serves the API until it is asked to stop; as one version of several with a `version`. */
export async function serve(
  { port, stage, data, pets, json, inspect }: ServeOptions,
  version?: Version,
): Promise<void> {
  const isDebugged = inspect !== undefined;
  let stop: () => unknown = () => process.exit(1);
  for (const signal of signals) process.once(signal, () => stop());
  // `npm start | head` ends it, as it ends other programs.
  for (const output of [process.stdout, process.stderr]) output.on('error', () => stop());
  const stack = synthesize(stage, { isDebugged });
  process.once('exit', stack.dispose);

  const { tables, apiKey: inherited } = version?.legacy ?? {};
  let isReady = inherited !== undefined;
  const api = await startLocalApi(stack, {
    port,
    ...(tables ? { tables } : { dataDirectory: data }),
    functions: { isDebugged, hasReadableLog: !json },
    onRequest: (record) => {
      if (isReady) log(record, json);
    },
  });
  let closed: Promise<void> | undefined;
  stop = async () => {
    closed ??= api.close();
    if (!version) return;
    if (isDebugged) stack.dispose();
    version.closing();
    // The supervisor kills it: of itself it would wait for the debugger.
    if (isDebugged) return;
    await closed;
    process.exit();
  };

  try {
    const apiKey = inherited ?? (await localKey(api, data));
    api.serveReference(apiKey);
    if (inherited === undefined) {
      const petId = await createSamplePets(pets, { ...api, apiKey });
      const address = { baseUrl: api.baseUrl, apiKey, docsUrl: api.docsUrl };
      console.log(json ? JSON.stringify(address) : greeting(address, petId ?? '1'));
      isReady = true;
    }
    await version?.ready(apiKey);
  } catch (error) {
    if (!closed) throw error;
    return;
  }
  // An editor that has started the process has opened its own.
  if (isDebugged && inspector.url() === undefined) inspector.open(inspect);
}

/** A line for a person, or else that of the access log, standard output being taken. */
function log(record: RequestRecord, json: boolean): void {
  if (json) console.error(record.accessLogLine);
  else console.log(requestLogLine(record));
}
