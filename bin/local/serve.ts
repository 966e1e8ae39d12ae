import inspector from 'node:inspector';
import querystring from 'node:querystring';
import type { RequestRecord } from '../../infra/local/http-server.ts';
import { type LocalApi, type OpenTables, startLocalApi } from '../../infra/local/local-api.ts';
import { synthesize } from '../../infra/local/template/synthesize.ts';
import type { StageName } from '../../infra/stage-names.ts';
import { hideApiKeys } from '../../shared/contract/api-key.ts';
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
  const stopAtOnce = () => process.exit(1);
  for (const signal of signals) process.once(signal, stopAtOnce);
  const stack = synthesize(stage, { isDebugged });
  process.once('exit', stack.dispose);

  const isFirst = version?.legacy.apiKey === undefined;
  let isReady = !isFirst;
  const api = await startLocalApi(stack, {
    port,
    ...(version?.legacy ?? { dataDirectory: data }),
    functions: { isDebugged, hasReadableLog: !json },
    onRequest: (record) => {
      if (isReady) log(record, json);
    },
  });
  let isClosing = false;
  const stop = async () => {
    isClosing = true;
    const closed = api.close();
    if (isDebugged) stack.dispose();
    version?.closing();
    // The supervisor kills it: of itself it would wait for the debugger.
    if (isDebugged) return;
    await closed;
    process.exit();
  };
  for (const signal of signals) process.off(signal, stopAtOnce).once(signal, stop);

  const { baseUrl, apiKey, docsUrl } = api;
  if (isFirst) {
    const petId = await createSamplePets(pets, api).catch((error: unknown) => {
      if (!isClosing) throw error;
    });
    if (isClosing) return;
    console.log(json ? JSON.stringify({ baseUrl, apiKey, docsUrl }) : greeting(api, petId ?? '1'));
    isReady = true;
  }
  await version?.ready(apiKey);
  // An editor that has started the process has opened its own.
  if (isDebugged && inspector.url() === undefined) inspector.open(inspect);
}

function greeting({ baseUrl, apiKey, docsUrl }: LocalApi, petId: string): string {
  const authorization = `-H 'Authorization: Bearer ${apiKey}'`;
  const newPet = JSON.stringify({ name: 'Bella', categoryId: 1 });
  return `Pet Store is ready.

  Base URL  ${baseUrl}
  API key   ${apiKey}
  Reference ${docsUrl}

List, create, get:

  curl -i '${baseUrl}/pets?limit=5&status=available' ${authorization}
  curl -i '${baseUrl}/pets' ${authorization} -H 'Content-Type: application/json' -d '${newPet}'
  curl -i '${baseUrl}/pets/${petId}' ${authorization}
`;
}

/** A line for a person, any key in the path hidden; or else that of the access log, standard output being taken. */
function log(
  { method, path, status, milliseconds, requestId, accessLogLine }: RequestRecord,
  json: boolean,
): void {
  if (json) console.error(accessLogLine);
  else console.log(`${method} ${withoutKey(path)} ${status} ${milliseconds} ms ${requestId}`);
}

/** A key is hidden however it is written. */
function withoutKey(path: string): string {
  const decoded = querystring.unescape(path);
  return hideApiKeys(decoded) === decoded ? path : hideApiKeys(encodeURI(decoded));
}
