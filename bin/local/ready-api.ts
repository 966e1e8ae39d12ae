import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { awsEndpointPath } from '../../infra/local/aws-endpoint.ts';
import { startLocalApi } from '../../infra/local/local-api.ts';
import type { RenderReference } from '../../infra/local/reference-endpoints.ts';
import { operatorClientConfig } from '../../infra/local/template/account.ts';
import type { Deployment } from '../../infra/local/template/deployment.ts';
import { apiKeysOutput, stageOf } from '../../infra/settings/stage-names.ts';
import { errorText, messageText } from '../cli/create-command.ts';
import { ApiKeyStore } from '../keys/api-key-store.ts';
import { greeting } from './greeting.ts';
import { localApiKey } from './local-api-key.ts';
import { printableRecord, requestLogLine } from './request-log.ts';
import { createSamplePets, findPet } from './sample-pets.ts';

/** What a user chooses. */
export interface ReadyOptions {
  readonly port: number;
  /** Whether to delete what earlier starts have kept. */
  readonly fresh: boolean;
  /** By default 12. */
  readonly pets?: number;
  /** From 0 to 1. */
  readonly throttle?: number;
  /** The share of responses that functions lose, from 0 to 1. */
  readonly fail?: number;
  readonly json: boolean;
}

interface Parts {
  /** Keeps the tables and the key, unless the port is any free one. */
  readonly dataFile: string;
  readonly isDebugged?: boolean;
  readonly renderReference: RenderReference;
  /** Is awaited before the first request. */
  readonly onStart?: (api: Awaited<ReturnType<typeof startLocalApi>>) => Promise<void> | undefined;
}

/**
 * Serves a deployment with a key, sample pets and the reference, and prints how to call it.
 *
 * @returns whether the tables and the key are kept
 */
export async function startReadyApi(deployment: Deployment, options: ReadyOptions & Parts): Promise<boolean> {
  const { port, fresh, pets, throttle, fail = 0, json, dataFile, isDebugged = false } = options;
  let isReady = false;
  const api = await startLocalApi(deployment, {
    port,
    // The file is only for one process at a time, as is a port, unless it is any free one.
    keepIn: port === 0 ? undefined : { path: dataFile, isFresh: fresh },
    throttledShare: throttle,
    functions: { isDebugged, hasReadableLog: !json },
    onRequest: (record) => {
      if (!isReady) return;
      if (json) console.error(JSON.stringify(printableRecord(record)));
      else console.log(requestLogLine(record));
    },
  });
  const { baseUrl, docsUrl, journal } = api;
  const apiKey = await localApiKey(keysOf(deployment, api.port), journal);
  api.serveReference(apiKey, options.renderReference);
  await options.onStart?.(api);

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
  api.loseResponses(fail);
  const ready = { ...access, docsUrl };
  console.log(json ? JSON.stringify(ready) : greeting({ ...ready, petId, dataFile: journal?.path }));
  isReady = true;
  return journal !== undefined;
}

/** Opens the keys of a deployment that is served on a port. */
function keysOf({ stack }: Deployment, port: number) {
  const table = stack.outputs[apiKeysOutput];
  const name = stageOf(stack.name);
  if (table === undefined || name === undefined) throw new Error(`${stack.name} has no table of API keys.`);
  const dynamodb = new DynamoDBClient(operatorClientConfig(`http://127.0.0.1:${port}${awsEndpointPath}`));
  return { name, keys: new ApiKeyStore(dynamodb, table, name) };
}
