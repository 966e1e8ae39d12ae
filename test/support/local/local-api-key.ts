import { localKey } from '../../../bin/local/local-key.ts';
import { type LocalApi, type LocalApiOptions, startLocalApi } from '../../../infra/local/local-api.ts';
import type { SynthesizedStack } from '../../../infra/local/template/synthesize.ts';

/** A local API in this process, and a key for it. */
export interface LocalApiWithKey extends LocalApi {
  readonly apiKey: string;
}

/** Starts a local API in this process, and issues a key. */
export async function startLocalApiWithKey(
  stack: SynthesizedStack,
  options: LocalApiOptions,
): Promise<LocalApiWithKey> {
  const api = await startLocalApi(stack, options);
  return { ...api, apiKey: await localKey(api) };
}
