import { examplesOf } from '../../../infra/release/harmless-requests.ts';
import { stringifyJson } from '../../../shared/contract/json.ts';
import type { Operation } from '../../../shared/contract/operation.ts';
import { operations } from '../../../shared/contract/operations.ts';

/** Requests to every operation with the contract's examples: without its query, and with each parameter. */
export const exampleRequests = Object.values<Operation>(operations).flatMap(
  ({ method, path, parameters, body, success }) => {
    const pathExamples = examplesOf(parameters.path);
    const filledPath = path.replaceAll(/\{(\w+)\}/g, (_braces, name) => pathExamples[name] ?? '');
    const queries = Object.entries(examplesOf(parameters.query)).map(([name, value]) => `?${name}=${value}`);
    return ['', ...queries].map((query) => ({
      method,
      path: `${filledPath}${query}`,
      ...(body && {
        headers: { 'Content-Type': 'application/json' },
        body: stringifyJson(body.example),
      }),
      success,
    }));
  },
);
