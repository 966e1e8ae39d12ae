import { apiKeyPattern } from '../shared/keys/api-key.ts';
import { serviceName } from '../shared/service.ts';
import { stagePattern } from './stack-names.ts';

/** What every API key begins with: `petstore_` for the service `pet-store`. */
export const keyPrefix = `${serviceName.replaceAll('-', '')}_`;

/** Returns what every API key of a stage begins with. */
export const keyPrefixOf = (stage: string) => `${keyPrefix}${stage}_`;

/** Returns the stage named in an API key, or undefined if the text is not shaped like a key. */
export const stageOfKey = (key: string): string | undefined =>
  new RegExp(`^${apiKeyPattern(keyPrefixOf(`(${stagePattern})`))}$`).exec(key)?.[1];
