/** The stages; each is a separate stack. */
export const stageNames = ['staging', 'production'] as const;

export type StageName = (typeof stageNames)[number];

export const stackName = (stage: StageName) => `PetStore-${stage}` as const;

/** The stack output that names the table of API keys. */
export const apiKeysOutput = 'ApiKeysTableName';
