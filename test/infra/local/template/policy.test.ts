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
    ['*', ''],
    ['*', 'arn:aws:dynamodb:table/Pets'],
    ['table/*', 'table/Pets/index/byStatus'],
    ['*/index/*', 'table/Pets/index/byStatus'],
    ['table/Pe?s', 'table/Pets'],
    ['api/v1/GET/pets/*', 'api/v1/GET/pets/a\nb'],
  ])('finds %j in %j', (pattern, value) => {
    expect(matches(pattern, value)).toBe(true);
  });

  it.each([
    ['table/Pets', 'table/Pets/index/byStatus'],
    ['table/Pets', 'a table/Pets'],
    ['table/Pe?s', 'table/Pes'],
    ['table/*/index', 'table/index'],
    ['table.Pets', 'table/Pets'],
  ])('does not find %j in %j', (pattern, value) => {
    expect(matches(pattern, value)).toBe(false);
  });

  it('takes every character but the wildcards as itself', () => {
    const text = fc.string().map((value) => value.replaceAll(/[*?]/g, ''));

    fc.assert(
      fc.property(text, text, (pattern, value) => {
        expect(matches(pattern, pattern)).toBe(true);
        expect(matches(pattern, value)).toBe(pattern === value);
      }),
    );
  });

  it('finds any text for each asterisk', () => {
    const texts = fc.array(fc.string(), { minLength: 1, maxLength: 5 });

    fc.assert(
      fc.property(texts, fc.infiniteStream(fc.string()), (parts, fillings) => {
        const pattern = parts.map((part) => part.replaceAll(/[*?]/g, ''));
        const value = pattern.reduce((left, right) => `${left}${fillings.next().value}${right}`);

        expect(matches(pattern.join('*'), value)).toBe(true);
      }),
    );
  });
});

describe('isAllowed', () => {
  it.each([
    ['the action and the resource', statement('Allow', 'dynamodb:GetItem', 'table/Pets'), true],
    ['the action in another case', statement('Allow', 'DynamoDB:getitem', 'table/Pets'), true],
    ['every action', statement('Allow', 'dynamodb:*', '*'), true],
    ['another action', statement('Allow', 'dynamodb:PutItem', 'table/Pets'), false],
    ['another resource', statement('Allow', 'dynamodb:GetItem', 'table/ApiKeys'), false],
    ['the resource in another case', statement('Allow', 'dynamodb:GetItem', 'table/pets'), false],
    ['only its index', statement('Allow', 'dynamodb:GetItem', 'table/Pets/index/*'), false],
  ])('judges a statement that names %s', (_title, allowing, expected) => {
    expect(isAllowed([allowing], 'dynamodb:GetItem', 'table/Pets')).toBe(expected);
  });

  it('denies what no statement allows', () => {
    expect(isAllowed([], 'dynamodb:GetItem', 'table/Pets')).toBe(false);
  });

  it('lets a denial win, wherever it stands', () => {
    const allowing = fc.constant(statement('Allow', 'dynamodb:*', '*'));
    const denying = fc.constantFrom(
      statement('Deny', 'dynamodb:GetItem', 'table/Pets'),
      statement('Deny', '*', 'table/*'),
    );

    fc.assert(
      fc.property(fc.array(allowing), denying, fc.array(allowing), (before, denial, after) => {
        expect(isAllowed([...before, denial, ...after], 'dynamodb:GetItem', 'table/Pets')).toBe(false);
      }),
    );
  });
});

describe('PolicyDocument', () => {
  it('takes one action or resource as a list of one', () => {
    const document = {
      Version: '2012-10-17',
      Statement: [{ Effect: 'Allow', Action: 'dynamodb:GetItem', Resource: ['a', 'b'] }],
    };

    expect(v.parse(PolicyDocument, document)).toEqual({
      Version: '2012-10-17',
      Statement: [{ Effect: 'Allow', Action: ['dynamodb:GetItem'], Resource: ['a', 'b'] }],
    });
  });

  it.each([
    ['Condition', { Condition: {} }],
    ['NotAction', { NotAction: 'dynamodb:GetItem' }],
    ['NotResource', { NotResource: '*' }],
    ['Principal', { Principal: '*' }],
  ])('refuses a statement with %s, which it would have to ignore', (member, form) => {
    const document = {
      Version: '2012-10-17',
      Statement: [{ Effect: 'Allow', Action: '*', Resource: '*', ...form }],
    };

    expect(() => v.parse(PolicyDocument, document)).toThrow(`"${member}"`);
  });

  it.each([
    ['an unknown effect', { Effect: 'Permit' }],
    ['no action', { Action: undefined }],
    ['no resource', { Resource: undefined }],
  ])('refuses a statement with %s', (_title, form) => {
    const document = {
      Version: '2012-10-17',
      Statement: [{ Effect: 'Allow', Action: '*', Resource: '*', ...form }],
    };

    expect(v.is(PolicyDocument, document)).toBe(false);
  });
});
