import { queriesOf, requiredOf, textOf } from '../../../shared/contract/example-parameters.ts';
import { stringifyJson } from '../../../shared/contract/json.ts';
import type { Operation } from '../../../shared/contract/operation.ts';
import { operations } from '../../../shared/service.ts';
import { pathOf } from '../contract/own-operations.ts';

const all = Object.values<Operation>(operations);

/** A request with the contract's examples, and the status of its success. */
interface ExampleRequest {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly success: number;
  /** Creates, at its `Location`, what a DELETE should delete in place of the example, which others read. */
  readonly create?: ExampleRequest;
}

/** Requests to every operation with the contract's examples: with what it requires, and with each other parameter. */
export const exampleRequests: readonly ExampleRequest[] = all.flatMap((operation) => {
  return queriesOf(operation).map((query) => ({
    ...requestTo(operation, textOf(query)),
    ...createFor(operation),
  }));
});

function requestTo(operation: Operation, query: string): ExampleRequest {
  const { method, parameters, body, success } = operation;
  return {
    method,
    path: `${pathOf(operation)}${query}`,
    headers: { ...requiredOf(parameters.header), ...(body && { 'Content-Type': 'application/json' }) },
    ...(body && { body: stringifyJson(body.example) }),
    success,
  };
}

function createFor({ method, path }: Operation): Pick<ExampleRequest, 'create'> {
  const parent = path.replace(/\/[^/]+$/, '');
  const create = all.find((operation) => operation.method === 'POST' && operation.path === parent);
  return method === 'DELETE' && create
    ? { create: requestTo(create, textOf(requiredOf(create.parameters.query))) }
    : {};
}
