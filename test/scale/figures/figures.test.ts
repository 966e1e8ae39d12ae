import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { limitedDurations } from './bench-figures.ts';
import { figures } from './figures.ts';
import { milliseconds } from './price-tables.ts';
import { textFigures } from './text-figures.ts';

it.each([...figures()])('the figures of %s are those of the prices, units and the model', (file, content) => {
  expect(readFileSync(file, 'utf8'), 'Run npm run figures.').toBe(content);
});

it.each(Object.entries(textFigures))('the text of %s has the calculated figures', (file, figuresOfText) => {
  // Links may surround a figure.
  const text = readFileSync(file, 'utf8')
    .replaceAll(/\]\([^)]*\)|\[/g, '')
    .replaceAll(/\s+/g, ' ');

  expect(figuresOfText.filter((figure) => !text.includes(figure))).toEqual([]);
});

it('assumed durations have room for DynamoDB on AWS, which takes less than 10 ms', () => {
  const { 'list-pets': list, 'get-pet': get, 'create-pet': create, authorizer } = limitedDurations;

  expect(milliseconds.list).toBeGreaterThan(Number(list) + 9);
  expect(milliseconds.get).toBeGreaterThan(Number(get) + 9);
  expect(milliseconds.create).toBeGreaterThan(Number(create) + 9);
  expect(milliseconds.authorizer).toBeGreaterThan(Number(authorizer) + 9);
});
