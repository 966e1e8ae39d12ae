import * as v from 'valibot';
import { expect, it } from 'vitest';
import { operationRequests } from '../../../infra/release/harmless-requests.ts';
import { createPet, getPet } from '../../../shared/contract/operations.ts';

it('leaves out the path parameters of a write without a body', () => {
  const requests = operationRequests({ ...getPet, method: 'DELETE', errors: ['not_found'] });

  const title = 'DELETE /pets/{petId} without parameters';
  expect(requests).toMatchObject([{ title, event: { pathParameters: null } }]);
});

it('sends no request to a write that it cannot make invalid', () => {
  const { body: _body, ...renamed } = createPet;
  const anything = { schema: v.unknown(), example: { name: 'Bella' } };

  expect(operationRequests(renamed)).toEqual([]);
  expect(operationRequests({ ...createPet, body: anything })).toEqual([]);
});
