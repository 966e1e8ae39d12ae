import { expect, it } from 'vitest';
import { errorResponsesOf } from '../../../infra/reference/error-responses.ts';
import { partInUse, removePart } from '../../support/contract/neutral-operations.ts';

it('an operation has the errors of its own service', () => {
  const { 409: response } = errorResponsesOf({ ...removePart, errors: [partInUse] });

  expect(response).toMatchObject({
    description: '`part_in_use`: The part is in use.',
    content: { 'application/json': { examples: { part_in_use: { value: { status: 409 } } } } },
  });
});
