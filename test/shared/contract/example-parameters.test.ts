import * as v from 'valibot';
import { expect, it } from 'vitest';
import { examplesOf, queriesOf, textOf } from '../../../shared/contract/example-parameters.ts';
import { listParts } from '../../support/contract/neutral-operations.ts';

const { query } = listParts.parameters;

it('tries each parameter with what a request requires', () => {
  expect(queriesOf(listParts).map(textOf)).toEqual([
    '?weight=7',
    '?weight=7&limit=20',
    '?weight=7&colour=red',
  ]);
});

it('tries a parameter with those that its example needs', () => {
  const cursor = { ...query.cursor, example: 'x', exampleWith: { colour: 'green' } };
  const parameters = { query: { cursor, weight: query.weight } };

  expect(queriesOf({ ...listParts, parameters }).map(textOf)).toEqual([
    '?weight=7',
    '?weight=7&colour=green&cursor=x',
  ]);
});

it('takes the first value of an enumeration', () => {
  const colour = { description: '', schema: v.picklist(['red', 'green']) };

  expect(examplesOf({ colour, label: { description: '', schema: v.string() } })).toEqual({ colour: 'red' });
});
