import { describe, expect, it } from 'vitest';
import { resolveIntrinsics } from '../../../../infra/local/template/intrinsics.ts';

const scope = {
  ref: (name: string) => `<${name}>`,
  getAtt: (logicalId: string, attribute: string) => `<${logicalId}.${attribute}>`,
};

// The local API's own tests see whether those of the stack are resolved.
describe('resolveIntrinsics', () => {
  it.each([
    [{ 'Fn::Select': ['1', { 'Fn::Split': ['.', { 'Fn::Sub': `$\{AWS::Region}.$\{Pets}` }] }] }, '<Pets>'],
    [
      { Names: [{ Ref: 'Pets' }], Count: 2 },
      { Names: ['<Pets>'], Count: 2 },
    ],
    [
      { Ref: 'Pets', Other: null },
      { Ref: 'Pets', Other: null },
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
});
