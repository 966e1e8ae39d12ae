import { definitionOf, type ErrorDefinition, errorCodes } from './contract/error-table.ts';
import type { Operation } from './contract/operation.ts';
import { apiKeyTable } from './keys/api-key.ts';
import { exampleNewPet, petOperations, petSchemas } from './pets/operations.ts';
import { petFields } from './pets/pet.ts';
import { petTable } from './pets/pet-table.ts';

// What the service is: the only module that `infra` imports for that, and `bin` but for commands about pets.

/** The service's name in resources, tags and commands. */
export const serviceName = 'pet-store';

/** The last segment of both base addresses, and the name of API Gateway's stage. */
export const apiVersion = 'v1';

/** Every operation of the API. */
export const operations = petOperations;

export type OperationId = keyof typeof operations;

/** All tables. */
export const tables = [petTable, apiKeyTable] as const;

/** By its id, settings name a table. */
export type TableId = (typeof tables)[number]['id'];

const ownErrors = Object.values<Operation>(operations).flatMap((operation) =>
  operation.errors.filter((error) => typeof error === 'object'),
);

/** Every error by its status: those of any service, and those of the operations. */
export const errors: readonly ErrorDefinition[] = [
  ...errorCodes.map(definitionOf),
  ...new Set(ownErrors),
].sort((one, other) => one.status - other.status);

/** What the interface description and the reference page say of the service as a whole. */
export const description = {
  title: 'Pet Store',
  summary: 'The catalogue of a pet store.',
  /** The schemas that have a name. */
  schemas: petSchemas,
  /** In Markdown. */
  fields: petFields,
  /** The body of a create in examples. */
  exampleBody: exampleNewPet,
} as const;
