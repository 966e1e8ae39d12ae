import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { operations } from '../../shared/contract/operations.ts';

it.each(Object.keys(operations))('%s has tests for its function', (operationId) => {
  const name = operationId.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

  expect(existsSync(`test/functions/${name}.test.ts`), `Add test/functions/${name}.test.ts.`).toBe(true);
});
