import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { resolveIntrinsics } from '../../../../infra/local/template/intrinsics.ts';

const scope = {
  ref: (name: string) => `<${name}>`,
  getAtt: (logicalId: string, attribute: string) => `<${logicalId}.${attribute}>`,
};
const petsArn = { 'Fn::GetAtt': ['Pets', 'Arn'] };

describe('resolveIntrinsics', () => {
  it.each([
    [{ Ref: 'Pets' }, '<Pets>'],
    [{ 'Fn::Join': ['/', ['a', petsArn, 'b']] }, 'a/<Pets.Arn>/b'],
    [{ 'Fn::Select': ['1', { 'Fn::Split': ['.', petsArn] }] }, 'Arn>'],
    [{ 'Fn::Sub': `assets-$\{AWS::Region}-$\{Pets}` }, 'assets-<AWS::Region>-<Pets>'],
    [
      { Names: [{ Ref: 'Pets' }], Count: 2 },
      { Names: ['<Pets>'], Count: 2 },
    ],
    [
      { Ref: 'Pets', Other: 1 },
      { Ref: 'Pets', Other: 1 },
    ],
  ])('resolves %j', (value, resolved) => {
    expect(resolveIntrinsics(value, scope)).toEqual(resolved);
  });

  it.each([
    [{ 'Fn::ImportValue': 'x' }, 'The local API does not know the intrinsic function Fn::ImportValue.'],
    [{ Ref: 1 }, 'The local API expects text in an intrinsic function, not 1.'],
    [{ 'Fn::Join': 'x' }, 'The local API expects a list in an intrinsic function, not "x".'],
  ])('refuses %j', (value, message) => {
    expect(() => resolveIntrinsics([{ Name: value }], scope)).toThrow(new Error(message));
  });

  it('gives back whatever has no intrinsic function', () => {
    const key = fc.string().filter((name) => name !== 'Ref' && !name.startsWith('Fn::'));

    fc.assert(
      fc.property(fc.object({ key, maxDepth: 3 }), (plain) => {
        expect(resolveIntrinsics(plain, scope)).toEqual(plain);
      }),
    );
  });
});
