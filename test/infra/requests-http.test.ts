import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { operations } from '../../shared/contract/operations.ts';

it('requests.http has a request for every operation', () => {
  const requests = readFileSync('requests.http', 'utf8').matchAll(/^([A-Z]+) \{\{baseUrl\}\}([^?\n]+)/gm);

  const found = Array.from(
    requests,
    ([, method, path = '']) => `${method} ${path.replace(/\{\{.+\}\}/, '{}')}`,
  );
  expect(found).toEqual(
    Object.values(operations).map(({ method, path }) => `${method} ${path.replace(/\{.+\}/, '{}')}`),
  );
});
