import { examplesOf } from '../../../shared/contract/example-parameters.ts';
import { stringifyJson } from '../../../shared/contract/json.ts';
import type { Operation } from '../../../shared/contract/operation.ts';
import { type OperationId, operations, tables } from '../../../shared/service.ts';

// What tests use that need any operation, whatever the service has.

type OwnOperation = Operation & { readonly operationId: OperationId };

function find(what: string, isWanted: (operation: OwnOperation) => boolean): OwnOperation {
  const found = Object.values<OwnOperation>(operations).find(isWanted);
  if (!found) throw new Error(`No operation of the service is ${what}, which its tests call.`);
  return found;
}

const isList = ({ response }: Operation) => 'example' in response && Array.isArray(response.example);

/** A list of the service. It should have what the examples of the create make. */
export const list = find('a GET of an array', (operation) => operation.method === 'GET' && isList(operation));

/** A create of the service, below any path. */
export const create = find(
  'a POST with a 201',
  ({ method, success }) => method === 'POST' && success === 201,
);

/** A table of the service. */
export const [table] = tables;

/** The paths of the list and of the create, with their examples. */
export const path = pathOf(list);
export const createPath = pathOf(create);

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
