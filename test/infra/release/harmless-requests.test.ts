import * as v from 'valibot';
import { expect, it } from 'vitest';
import { operationRequests } from '../../../infra/release/harmless-requests.ts';
import { createPet } from '../../../shared/contract/operations.ts';

it('sends no request to a write that it cannot make invalid', () => {
  const { body, ...withoutBody } = createPet;

  expect(operationRequests(withoutBody)).toEqual([]);
  expect(operationRequests({ ...createPet, body: { ...body, schema: v.unknown() } })).toEqual([]);
});
