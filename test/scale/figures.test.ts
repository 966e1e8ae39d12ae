import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { figures } from './figures.ts';

it.each([...figures()])('the figures of %s are those of the prices, units and the model', (file, content) => {
  expect(readFileSync(file, 'utf8'), 'Run npm run figures.').toBe(content);
});
