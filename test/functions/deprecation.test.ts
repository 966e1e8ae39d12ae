import { expect, it } from 'vitest';
import { examplesOf } from '../../infra/release/harmless-requests.ts';
import type { Operation } from '../../shared/contract/operation.ts';
import { operations } from '../../shared/contract/operations.ts';
import { captureLog } from '../support/functions/capture-log.ts';
import { invoke } from '../support/functions/invoke.ts';

captureLog();

// The description, and what clients are told, follow from the operations table, but the handler's use of the
// middleware does not.
it.each<Operation>(Object.values(operations))(
  '$operationId announces its deprecation exactly if the contract has one',
  async ({ operationId, method, parameters, deprecation }) => {
    const file = operationId.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    const { handler } = await import(`../../functions/${file}.ts`);

    const { headers } = await invoke(handler, { method, pathParameters: examplesOf(parameters.path) });

    const announced = deprecation && {
      Deprecation: `@${Date.parse(deprecation.since) / 1000}`,
      Sunset: new Date(deprecation.sunset).toUTCString(),
    };
    expect({ Deprecation: headers['Deprecation'], Sunset: headers['Sunset'] }).toEqual({
      Deprecation: announced?.Deprecation,
      Sunset: announced?.Sunset,
    });
  },
);
