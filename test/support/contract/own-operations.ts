import { examplesOf } from '../../../shared/contract/example-parameters.ts';
import { stringifyJson } from '../../../shared/contract/json.ts';
import type { Operation } from '../../../shared/contract/operation.ts';
import { type OperationId, operations, tables } from '../../../shared/service.ts';

// What tests use that need any operation, whatever the service has.

type OwnOperation = Operation & { readonly operationId: OperationId };

function find(isWanted: (operation: OwnOperation) => boolean): OwnOperation {
  const found = Object.values<OwnOperation>(operations).find(isWanted);
  if (!found) throw new Error('The service has no list, or no create of what it lists.');
  return found;
}

/** A list of the service, and the create of what it lists. */
export const list = find(({ method }) => method === 'GET');
export const create = find(({ method, path }) => method === 'POST' && path === list.path);

/** Their table. */
export const [table] = tables;

/** Their path, with its examples. */
export const path = pathOf(list);

/** The body of a create. */
export const body = stringifyJson(create.body?.example);

/** Returns the path of an operation with its examples. */
export function pathOf({ path, parameters }: Operation): string {
  const examples = examplesOf(parameters.path);
  return path.replaceAll(/\{(\w+)\}/g, (_braces, name) => examples[name] ?? '');
}

/** Returns the file of an operation's handler. */
export const handlerOf = ({ operationId }: Operation) =>
  `functions/${operationId.replaceAll(/\B[A-Z]/g, (letter) => `-${letter}`).toLowerCase()}.ts`;

/** A page with an item, as the list responds. */
export const page = stringifyJson('example' in list.response && list.response.example);
