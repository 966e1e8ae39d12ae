import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import {
  isAllowed,
  matches,
  PolicyDocument,
  type Statement,
} from '../../../../infra/local/template/policy.ts';

const statement = (Effect: 'Allow' | 'Deny', Action: string, Resource: string): Statement => ({
  Effect,
  Action: [Action],
  Resource: [Resource],
});

describe('matches', () => {
  it.each([
    ['table/Pe?s', 'table/Pets', true],
    ['table/Pe?s', 'table/Pes', false],
    ['api/v1/GET/pets/*', 'api/v1/GET/pets/a\nb', true],
  ])('takes %j in %j: %j', (pattern, value, expected) => {
    expect(matches(pattern, value)).toBe(expected);
  });

  it('takes every character but the wildcards as itself, and any text for each asterisk', () => {
    const texts = fc.array(
      fc.string().map((text) => text.replaceAll(/[*?]/g, '')),
      { minLength: 1, maxLength: 5 },
    );

    fc.assert(
      fc.property(texts, fc.infiniteStream(fc.string()), (parts, fillings) => {
        const value = parts.reduce((left, right) => `${left}${fillings.next().value}${right}`);
        const [first = '', second = ''] = parts;

        expect(matches(parts.join('*'), value)).toBe(true);
        expect(matches(first, second)).toBe(first === second);
      }),
    );
  });
});

describe('isAllowed', () => {
  it.each([
    ['the action in another case', [statement('Allow', 'DynamoDB:getitem', 'table/Pets')], true],
    ['another action', [statement('Allow', 'dynamodb:PutItem', 'table/Pets')], false],
    ['another resource', [statement('Allow', 'dynamodb:GetItem', 'table/ApiKeys')], false],
    ['the resource in another case', [statement('Allow', 'dynamodb:GetItem', 'table/pets')], false],
    [
      'what is denied before it',
      [statement('Deny', 'dynamodb:GetItem', 'table/Pets'), statement('Allow', 'dynamodb:*', '*')],
      false,
    ],
    [
      'what is denied after it',
      [statement('Allow', 'dynamodb:*', '*'), statement('Deny', '*', 'table/*')],
      false,
    ],
  ])('decides by statements that allow %s', (_title, statements, expected) => {
    expect(isAllowed(statements, 'dynamodb:GetItem', 'table/Pets')).toBe(expected);
  });
});

describe('PolicyDocument', () => {
  it.each([{ Condition: {} }, { Effect: 'Permit' }, { Action: undefined }, { Resource: undefined }])(
    'refuses a statement with %j, which it would have to ignore',
    (form) => {
      const plain = { Effect: 'Allow', Action: 'dynamodb:GetItem', Resource: ['a', 'b'] };
      const accepts = (statement: object) =>
        v.is(PolicyDocument, { Version: '2012-10-17', Statement: [statement] });

      expect([accepts(plain), accepts({ ...plain, ...form })]).toEqual([true, false]);
    },
  );
});
