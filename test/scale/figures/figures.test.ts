import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { figures } from './figures.ts';
import { textFigures } from './text-figures.ts';

it.each([...figures()])('the figures of %s are those of the prices, units and the model', (file, content) => {
  expect(readFileSync(file, 'utf8'), 'Run npm run figures.').toBe(content);
});

it.each(Object.entries(textFigures))('the text of %s has the calculated figures', (file, figuresOfText) => {
  const text = readFileSync(file, 'utf8').replaceAll(/\s+/g, ' ');

  expect(figuresOfText.filter((figure) => !text.includes(figure))).toEqual([]);
});
