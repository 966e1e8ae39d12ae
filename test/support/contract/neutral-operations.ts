import * as v from 'valibot';
import type { ErrorDefinition } from '../../../shared/contract/error-table.ts';
import { idempotencyKey } from '../../../shared/contract/idempotency-key.ts';
import type { Operation } from '../../../shared/contract/operation.ts';
import { nextPage, pageQuery } from '../../../shared/paging/page-query.ts';

// Operations of no service, on which the generic parts are tested: the parts of machines.

export const NewPart = v.object({
  label: v.pipe(v.string(), v.minLength(1)),
  weight: v.optional(v.bigint()),
});

export const Part = v.object({ id: v.bigint(), ...NewPart.entries });
export type Part = v.InferOutput<typeof Part>;

export const examplePart: Part = { id: 2n ** 60n, label: 'wheel' };

export const partInUse = {
  code: 'part_in_use',
  status: 409,
  message: 'The part is in use.',
  headers: { Allow: 'GET' },
} as const satisfies ErrorDefinition;

const partsPath = {
  machineId: { description: '', schema: v.pipe(v.string(), v.minLength(2)), example: 'm7' },
};
const partPath = {
  ...partsPath,
  partId: {
    description: '',
    schema: v.pipe(v.bigint(), v.minValue(1n), v.maxValue(2n ** 60n)),
    example: 12n,
  },
};

export const listParts = {
  operationId: 'listParts',
  method: 'GET',
  path: '/machines/{machineId}/parts',
  summary: '',
  description: '',
  parameters: {
    path: partsPath,
    query: {
      ...pageQuery,
      colour: { description: '', schema: v.picklist(['red', 'green']) },
      weight: { description: '', schema: v.bigint('must be an integer'), isRequired: true, example: 7n },
    },
  },
  success: 200,
  response: {
    description: '',
    schema: v.array(Part),
    example: [examplePart],
    headers: nextPage('/machines/m7/parts', 'x'),
  },
  errors: ['invalid_query', 'not_found'],
} as const satisfies Operation;

export const createPart = {
  operationId: 'createPart',
  method: 'POST',
  path: '/machines/{machineId}/parts',
  summary: '',
  description: '',
  parameters: {
    path: partsPath,
    header: {
      ...idempotencyKey,
      'X-Batch': {
        description: '',
        schema: v.pipe(v.string(), v.minLength(3, 'is short')),
        isRequired: true,
        example: 'b12',
      },
    },
  },
  body: { schema: NewPart, example: { label: 'wheel' } },
  success: 201,
  response: {
    description: '',
    schema: Part,
    example: examplePart,
    headers: { Location: { description: '', schema: v.string(), example: '/', isRequired: true } },
  },
  errors: ['invalid_body', 'invalid_header'],
} as const satisfies Operation;

export const removePart = {
  operationId: 'removePart',
  method: 'DELETE',
  path: '/machines/{machineId}/parts/{partId}',
  summary: '',
  description: '',
  parameters: { path: partPath },
  success: 204,
  response: { description: '', headers: {} },
  errors: ['not_found', partInUse],
} as const satisfies Operation;
