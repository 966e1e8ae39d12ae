/** The stages; each is a separate stack. */
export const stageNames = ['staging', 'production'] as const;

export type StageName = (typeof stageNames)[number];

/** Returns the name of a stage's stack. */
export const stackName = (stage: StageName) => `PetStore-${stage}` as const;

/** The names of a stack's outputs. */
export const outputNames = {
  commit: 'Commit',
  baseUrl: 'BaseUrl',
  petsTable: 'PetsTableName',
  apiKeysTable: 'ApiKeysTableName',
  domainTarget: 'DomainTarget',
  pageTopic: 'PageTopicArn',
  ticketTopic: 'TicketTopicArn',
} as const;
