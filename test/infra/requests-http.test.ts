import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { operations } from '../../shared/contract/operations.ts';

const requests = readFileSync('requests.http', 'utf8').matchAll(/^([A-Z]+) \{\{baseUrl\}\}([^?\n]+)/gm);

it.each(
  Array.from(requests, ([, method, path = '']) => `${method} ${path.replaceAll(/\{\{.+?\}\}/g, '{}')}`),
)('requests.http calls an operation: %s', (request) => {
  const described = Object.values(operations).map(({ method, path }) => `${method} ${path}`);

  expect(described.map((operation) => operation.replaceAll(/\{.+?\}/g, '{}'))).toContain(request);
});
