import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { resolveIntrinsics } from '../../../../infra/local/template/intrinsics.ts';

const scope = {
  ref: (name: string) => `<${name}>`,
  getAtt: (logicalId: string, attribute: string) => `<${logicalId}.${attribute}>`,
};

describe('resolveIntrinsics', () => {
  it.each([
    ['Ref', { Ref: 'Pets' }, '<Pets>'],
    ['Fn::GetAtt', { 'Fn::GetAtt': ['Pets', 'Arn'] }, '<Pets.Arn>'],
    ['Fn::Join', { 'Fn::Join': ['/', ['a', { Ref: 'Pets' }, 'b']] }, 'a/<Pets>/b'],
    ['Fn::Select', { 'Fn::Select': [1, ['a', { Ref: 'Pets' }]] }, '<Pets>'],
    ['Fn::Split', { 'Fn::Split': ['.', { 'Fn::GetAtt': ['Pets', 'Arn'] }] }, ['<Pets', 'Arn>']],
    ['Fn::Sub', { 'Fn::Sub': `assets-$\{AWS::Region}-$\{Pets}` }, 'assets-<AWS::Region>-<Pets>'],
  ])('resolves %s', (_name, value, resolved) => {
    expect(resolveIntrinsics(value, scope)).toEqual(resolved);
  });

  it('resolves what is nested in lists, objects and other intrinsic functions', () => {
    const name = { 'Fn::Select': ['1', { 'Fn::Split': ['.', { 'Fn::GetAtt': ['Pets', 'Arn'] }] }] };

    const resolved = resolveIntrinsics({ Names: [{ 'Fn::Join': ['-', ['x', name]] }], Count: 2 }, scope);

    expect(resolved).toEqual({ Names: ['x-Arn>'], Count: 2 });
  });

  it('leaves an object alone that only has a key like an intrinsic function', () => {
    const value = { Ref: 'Pets', Other: 1 };

    expect(resolveIntrinsics(value, scope)).toEqual(value);
  });

  it.each([
    [{ 'Fn::ImportValue': 'x' }, 'The local API does not know the intrinsic function Fn::ImportValue.'],
    [{ Ref: 1 }, 'The local API expects text in an intrinsic function, not 1.'],
    [{ 'Fn::Join': 'x' }, 'The local API expects a list in an intrinsic function, not "x".'],
    [{ 'Fn::Sub': ['x', {}] }, 'The local API expects text in an intrinsic function, not ["x",{}].'],
  ])('refuses %j', (value, message) => {
    expect(() => resolveIntrinsics([{ Name: value }], scope)).toThrow(new Error(message));
  });

  it('gives back whatever has no intrinsic function', () => {
    const key = fc.string().filter((name) => name !== 'Ref' && !name.startsWith('Fn::'));
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(fc.string(), fc.integer(), fc.constant(null), tie('list'), tie('object')),
      list: fc.array(tie('value'), { maxLength: 3 }),
      object: fc.dictionary(key, tie('value'), { maxKeys: 3 }),
    }));

    fc.assert(
      fc.property(value, (plain) => {
        expect(resolveIntrinsics(plain, scope)).toEqual(plain);
      }),
    );
  });

  it('joins again what it has split', () => {
    fc.assert(
      fc.property(fc.string(), fc.string({ minLength: 1 }), (text, separator) => {
        const parts = { 'Fn::Split': [separator, text] };

        expect(resolveIntrinsics({ 'Fn::Join': [separator, parts] }, scope)).toBe(text);
      }),
    );
  });
});
