import { expect, it } from 'vitest';
import { createPart, listParts, removePart } from '../../../test/support/contract/neutral-operations.ts';
import { callsOf } from '../client-samples.ts';
import { codeSamplesOf } from '../code-samples.ts';

const parts = 'http://parts.example/v1/machines/m7/parts';

it.each([
  [listParts, `curl -i "${parts}?weight=7" \\\n  -H "Authorization: Bearer $API_KEY"`],
  [
    createPart,
    `curl -i "${parts}" \\
  -H "Authorization: Bearer $API_KEY" \\
  -H 'Idempotency-Key: order-4712' \\
  -H 'X-Batch: b12' \\
  -H 'Content-Type: application/json' \\
  -d '{"label":"wheel"}'`,
  ],
  [removePart, `curl -i -X DELETE "${parts}/12" \\\n  -H "Authorization: Bearer $API_KEY"`],
])('$operationId has a sample for curl with what a request must have', (operation, source) => {
  const samples = codeSamplesOf(operation, 'http://parts.example/v1');

  expect(samples).toStrictEqual([{ lang: 'curl', label: 'curl', source }]);
});

it('an operation has a sample for each client that can call it', () => {
  const client = { lang: 'go', label: 'Go', calls: { removePart: 'api.RemovePart(12)' }, program: '' };

  expect(callsOf('removePart', [client, { ...client, calls: {} }])).toStrictEqual([
    { lang: 'go', label: 'Go', source: 'api.RemovePart(12)' },
  ]);
});
