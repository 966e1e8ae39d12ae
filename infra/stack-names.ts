import { serviceName } from '../shared/service.ts';

/** In place of a stage's name, commands take this for the stage that the local API serves. */
export const localStage = 'local';

/** A pattern for the names of stages, which are parts of API keys. */
export const stagePattern = '[a-z]{1,20}';

/** Returns a name as constructs and outputs have it: `ListPets` for `listPets`. */
export const capitalize = (name: string) => name.replace(/^[a-z]/, (letter) => letter.toUpperCase());

/** The service's name in stacks and metrics: `PetStore` for `pet-store`. */
export const stackPrefix = serviceName.split('-').map(capitalize).join('');

/** Returns the name of a stage's stack. */
export const stackName = (stage: string) => `${stackPrefix}-${stage}`;

/**
 * The most letters of a stack's name. If a function's or a role's generated name would have more than 64 characters,
 * CloudFormation may leave only 25 of the stack's name, and all permissions are for names that begin with it. AWS
 * documents no rule: this one is seen in names that it generated, such as that of
 * https://github.com/convox/rack/issues/2297
 */
export const longestStackName = 25;

/** The parameter whose history lists the releases of a stage: infra/release/release-record.ts. */
export const commitParameter = (stage: string) => `/${stackName(stage)}/commit`;

/** Returns the stage of a stack, if it is one of this service. */
export const stageOf = (stack: string): string | undefined =>
  new RegExp(`^${stackName(`(${stagePattern})`)}$`).exec(stack)?.[1];

/** The name of a stage's API, by which API Gateway's metrics are found. */
export const apiName = (stage: string) => `${serviceName}-${stage}`;

/** The alias of each function that API Gateway invokes. */
export const liveAlias = 'live';

/** The tags of a stage's resources, for the allocation of costs and for permissions. */
export const tagsOf = (stage: string) => ({ service: serviceName, stage });

/** How the names of copies of a stage's tables begin, from which items are put back. */
export const copyPrefix = (stage: string) => `${stackName(stage)}-restored-`;

/** How the name of a table begins. CloudFormation generates the rest. */
export const tablePrefix = (stage: string, id: string) => `${stackName(stage)}-Tables${capitalize(id)}`;

/** Returns the stack output that has the name of a table. */
export const tableOutput = (id: string) => `${capitalize(id)}TableName`;

/** The stack output that names the table of API keys. */
export const apiKeysOutput = tableOutput('apiKeys');
