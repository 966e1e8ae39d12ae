import { rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { blockedResponse } from '../../infra/service/blocked-response.ts';
import { apiKeysOutput, stageOf } from '../../infra/stack-names.ts';
import { errorText, messageText } from '../cli/create-command.ts';
import { ApiKeyStore } from '../keys/api-key-store.ts';
import { awsEndpointPath } from '../local-api/aws-endpoint.ts';
import type { Intercept } from '../local-api/http/read-request.ts';
import { startLocalApi } from '../local-api/local-api.ts';
import { operatorClientConfig } from '../local-api/template/account.ts';
import type { Deployment } from '../local-api/template/deployment.ts';
import { greeting } from './greeting.ts';
import { localApiKey } from './local-api-key.ts';
import type { ReadyOptions } from './ready-options.ts';
import { type RenderReference, referenceEndpoints } from './reference/reference-endpoints.ts';
import { printableRecord, requestLogLine } from './request-log.ts';
import { createSamples } from './samples.ts';
import { project } from './this-project.ts';

interface Parts {
  /** Keeps the tables and the key, unless the port is any free one. */
  readonly dataFile: string;
  readonly isDebugged?: boolean;
  /** Stands in front of the API, behind the option `block`. */
  readonly intercept?: Intercept;
  readonly renderReference: RenderReference;
}

/** Serves a deployment with a key, samples and the reference, and prints how to call it. */
export async function startReadyApi(deployment: Deployment, options: ReadyOptions & Parts) {
  const {
    port,
    fresh,
    pets,
    throttle = 0,
    fail = 0,
    block = 0,
    json,
    dataFile,
    isDebugged = false,
    intercept = (_request, respond) => respond(),
  } = options;
  // Under load, V8 lets its space for new objects grow to 134 MB. A running process can only stop the growth.
  setFlagsFromString('--semi-space-growth-factor=1');
  let isReady = false;
  const api = await startLocalApi(deployment, {
    port,
    // The file is only for one process at a time, as is a port, unless it is any free one.
    keepIn: port === 0 ? undefined : { path: dataFile, isFresh: fresh },
    project,
    functions: { isDebugged, hasReadableLog: !json },
    onRequest: (record) => {
      if (!isReady) return;
      if (json) console.error(JSON.stringify(printableRecord(record)));
      else console.log(requestLogLine(record));
    },
  });
  const { baseUrl, kept, hasKeptItems } = api;
  if (kept) ignoreInGit(dirname(kept.path));
  const apiKey = await localApiKey(keysOf(deployment, api.port), kept?.values);
  for (const endpoint of referenceEndpoints({ baseUrl, apiKey }, options.renderReference)) {
    api.addEndpoint(...endpoint);
  }

  if (hasKeptItems && pets !== undefined) {
    console.error('--pets has no effect: earlier starts have kept their tables. Add --fresh to delete them.');
  }
  const access = { baseUrl, apiKey };
  if (!hasKeptItems) {
    await createSamples(pets ?? 12, access).catch((error: unknown) =>
      console.error(`The samples can't be created: ${messageText(errorText(error))}`),
    );
  }
  api.throttleCalls(throttle);
  api.loseResponses(fail);
  const { headers, ...blocked } = blockedResponse('too_many_requests');
  const blockedOne = { ...blocked, headers: { 'Content-Type': 'application/json', ...headers } };
  api.interceptRequests(async (request, respond) =>
    Math.random() < block ? blockedOne : intercept(request, respond),
  );
  const ready = { ...access, docsUrl: `http://127.0.0.1:${api.port}/` };
  console.log(json ? JSON.stringify(ready) : greeting({ ...ready, dataFile: kept?.path }));
  isReady = true;
  return api;
}

/** Makes Git ignore a folder that has a key. */
function ignoreInGit(folder: string): void {
  const path = join(folder, '.gitignore');
  // Replaces a link, rather than what it points to.
  rmSync(path, { force: true });
  writeFileSync(path, '*\n', { flag: 'wx' });
}

/** Opens the keys of a deployment that is served on a port. */
function keysOf({ stack }: Deployment, port: number) {
  const table = stack.outputs[apiKeysOutput];
  const name = stageOf(stack.name);
  if (table === undefined || name === undefined) throw new Error(`${stack.name} has no table of API keys.`);
  const dynamodb = new DynamoDBClient(operatorClientConfig(`http://127.0.0.1:${port}${awsEndpointPath}`));
  return { name, keys: new ApiKeyStore(dynamodb, table, name) };
}
