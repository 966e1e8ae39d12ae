import { stagePattern } from '../../shared/contract/api-key.ts';

/** In place of a stage's name, commands take this for the stage that the local API serves. */
export const localStage = 'local';

/** Returns the name of a stage's stack. */
export const stackName = (stage: string) => `PetStore-${stage}`;

/** Returns the stage of a stack, if it is one of this service. */
export const stageOf = (stack: string): string | undefined =>
  new RegExp(`^PetStore-(${stagePattern})$`).exec(stack)?.[1];

/** The alias of each function that API Gateway invokes. */
export const liveAlias = 'live';

/** The tags of a stage's resources, for the allocation of costs and for permissions. */
export const tagsOf = (stage: string) => ({ service: 'pet-store', stage });

/** How the name of a restored table begins: the roles of a stage may use no others. */
export const restoredTablePrefix = 'pet-store-';

/**
 * How the names of tables of API keys begin: the stack's own, and those that were restored. The role `keys` may
 * use no others, and other roles may not change these.
 */
export const keyTablePrefixes = (stage: string) => [
  `${stackName(stage)}-Tables${capitalize('apiKeys')}`,
  `${restoredTablePrefix}keys-`,
];

/** Returns a name as constructs and outputs have it: `ListPets` for `listPets`. */
export const capitalize = (name: string) => name.replace(/^[a-z]/, (letter) => letter.toUpperCase());

/** Returns the stack output that has the name of a table. */
export const tableOutput = (id: string) => `${capitalize(id)}TableName`;

/** The stack output that names the table of API keys. */
export const apiKeysOutput = tableOutput('apiKeys');
