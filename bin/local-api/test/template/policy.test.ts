import * as v from 'valibot';
import { expect, it } from 'vitest';
import { isAllowed, matches, PolicyDocument } from '../../template/policy.ts';

it.each([
  ['table/Pe?s', 'table/Pets', true],
  ['table/Pe?s', 'table/Pes', false],
  ['api/*/GET/*', 'api/v1/GET/a\nb', true],
  ['api/*/GET', 'api/v1/GET/pets', false],
  ['a.c+', 'abc', false],
])('matches compares %j with %j: %j', (pattern, value, expected) => {
  expect(matches(pattern, value)).toBe(expected);
});

const statement = (Effect: 'Allow' | 'Deny', Action: string, Resource: string) => ({
  Effect,
  Action: [Action],
  Resource: [Resource],
});
const denied = statement('Deny', 'dynamodb:GetItem', 'table/Pets');
const allowed = statement('Allow', 'dynamodb:*', '*');

it.each([
  ['the action in another case', [statement('Allow', 'DynamoDB:getitem', 'table/Pets')], true],
  ['another action', [statement('Allow', 'dynamodb:PutItem', 'table/Pets')], false],
  ['another resource', [statement('Allow', 'dynamodb:GetItem', 'table/ApiKeys')], false],
  ['the resource in another case', [statement('Allow', 'dynamodb:GetItem', 'table/pets')], false],
  ['what an earlier one denies', [denied, allowed], false],
  ['what a later one denies', [allowed, denied], false],
])('isAllowed evaluates statements that allow %s', (_title, statements, expected) => {
  expect(isAllowed(statements, 'dynamodb:GetItem', 'table/Pets')).toBe(expected);
});

it.each([{ Condition: {} }, { Effect: 'Permit' }, { Action: undefined }, { Resource: undefined }])(
  'PolicyDocument rejects a statement with %o, which it cannot evaluate',
  (form) => {
    const plain = { Effect: 'Allow', Action: 'dynamodb:GetItem', Resource: ['a', 'b'] };
    const accepts = (statement: object) =>
      v.is(PolicyDocument, { Version: '2012-10-17', Statement: [statement] });

    expect([accepts(plain), accepts({ ...plain, ...form })]).toEqual([true, false]);
  },
);
