/** The stages; each is a separate stack. */
export const stageNames = ['staging', 'production'] as const;

export type StageName = (typeof stageNames)[number];

/** Returns the name of a stage's stack. */
export const stackName = (stage: StageName) => `PetStore-${stage}` as const;

/** The stack output that names the table of API keys. */
export const apiKeysOutput = 'ApiKeysTableName';
