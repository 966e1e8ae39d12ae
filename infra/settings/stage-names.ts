/** The stages; each is a separate stack. */
export const stageNames = ['staging', 'production'] as const;

export type StageName = (typeof stageNames)[number];

export const stackName = (stage: StageName) => `PetStore-${stage}` as const;

/** Returns a name as constructs and outputs have it: `ListPets` for `listPets`. */
export const capitalize = (name: string) => name.replace(/^[a-z]/, (letter) => letter.toUpperCase());

/** Returns the stack output that has the name of a table. */
export const tableOutput = (id: string) => `${capitalize(id)}TableName`;

/** The stack output that names the table of API keys. */
export const apiKeysOutput = tableOutput('apiKeys');
