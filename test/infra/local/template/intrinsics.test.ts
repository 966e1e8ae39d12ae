import { expect, it } from 'vitest';
import { resolveIntrinsics } from '../../../../infra/local/template/intrinsics.ts';

const scope = {
  ref: (name: string) => `<${name}>`,
  getAtt: (logicalId: string, attribute: string) => `<${logicalId}.${attribute}>`,
};
const part = { 'Fn::Select': ['1', { 'Fn::Split': ['.', { 'Fn::GetAtt': ['Pets', 'Arn'] }] }] };

it.each<[title: string, value: object, resolved: unknown]>([
  ['Fn::Sub', { 'Fn::Sub': `assets-$\{AWS::Region}-$\{Pets}` }, 'assets-<AWS::Region>-<Pets>'],
  [
    'what is nested',
    { Names: [{ 'Fn::Join': ['-', ['x', part]] }], Count: 2 },
    { Names: ['x-Arn>'], Count: 2 },
  ],
  ['no object that only has such a key', { Ref: 'Pets', Other: 1 }, { Ref: 'Pets', Other: 1 }],
])('resolveIntrinsics resolves %s', (_title, value, resolved) => {
  expect(resolveIntrinsics(value, scope)).toEqual(resolved);
});
