import { localKey } from '../../../bin/local/local-key.ts';
import { type LocalApi, type LocalApiOptions, startLocalApi } from '../../../infra/local/local-api.ts';
import type { Assembly } from '../../../infra/local/template/assembly.ts';
import { readDeployment } from '../../../infra/local/template/deployment.ts';

/** A local API in this process, and a key for it. */
export interface LocalApiWithKey extends LocalApi {
  readonly apiKey: string;
}

/** Starts a local API in this process, and issues a key. */
export async function startLocalApiWithKey(
  stack: Assembly,
  options: LocalApiOptions,
): Promise<LocalApiWithKey> {
  const api = await startLocalApi(readDeployment(stack), options);
  return { ...api, apiKey: await localKey(api) };
}
