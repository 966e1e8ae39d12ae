import { describe, expect, it } from 'vitest';
import { readTemplate } from '../../../../infra/local/template/read-template.ts';

const path = (PathPart: unknown, more: Readonly<Record<string, unknown>> = {}) => ({
  Type: 'AWS::ApiGateway::Resource',
  Properties: { ParentId: 'root', RestApiId: 'api', PathPart, ...more },
});
const role = { Type: 'AWS::IAM::Role', Properties: {} };

const read = (resources: Readonly<Record<string, unknown>>) =>
  readTemplate({ Resources: resources }, 'Stack');

// The local API's own tests see whether the stack is read.
describe('readTemplate', () => {
  it.each([
    ['the resource type AWS::SQS::Queue of Queue', { Queue: { Type: 'AWS::SQS::Queue' } }],
    ['this form of Cors in the AWS::ApiGateway::Resource Path', { Path: path('pets', { Cors: true }) }],
    [
      'the attribute AWS::IAM::Role.RoleId of Role',
      { Role: role, Path: path({ 'Fn::GetAtt': ['Role', 'RoleId'] }) },
    ],
    ['refers to Nothing, which it does not declare', { Path: path({ Ref: 'Nothing' }) }],
    ['the intrinsic function Fn::If', { Path: path({ 'Fn::If': ['IsBig', 'a', 'b'] }) }],
    ['text in an intrinsic function, not 1', { Path: path({ Ref: 1 }) }],
    ['a list in an intrinsic function, not "x"', { Path: path({ 'Fn::Join': 'x' }) }],
  ])('names what is unknown: %s', (message, resources) => {
    expect(() => read(resources).resourcesOf('AWS::ApiGateway::Resource')).toThrow(`${message}.`);
  });

  it('names a member of a resource that it would have to ignore', () => {
    expect(() => read({ Role: { ...role, Condition: 'IsBig' } })).toThrow('"Condition"');
  });
});
