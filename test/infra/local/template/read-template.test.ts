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
    [
      'resource type',
      { Queue: { Type: 'AWS::SQS::Queue' } },
      'The local API does not know the resource type AWS::SQS::Queue of Queue.',
    ],
    [
      'property',
      { Path: path('pets', { Cors: true }) },
      'The local API does not know this form of Cors in the AWS::ApiGateway::Resource Path.',
    ],
    [
      'attribute',
      { Role: role, Path: path({ 'Fn::GetAtt': ['Role', 'RoleId'] }) },
      'The local API does not know the attribute AWS::IAM::Role.RoleId of Role.',
    ],
    [
      'reference',
      { Path: path({ Ref: 'Nothing' }) },
      'The template refers to Nothing, which it does not declare.',
    ],
    [
      'intrinsic function',
      { Path: path({ 'Fn::If': ['IsBig', 'a', 'b'] }) },
      'The local API does not know the intrinsic function Fn::If.',
    ],
    [
      'form of an intrinsic function',
      { Path: path({ 'Fn::Join': 'x' }) },
      'The local API expects a list in an intrinsic function, not "x".',
    ],
  ])('names an unknown %s', (_title, resources, message) => {
    expect(() => read(resources).resourcesOf('AWS::ApiGateway::Resource')).toThrow(new Error(message));
  });

  it('names a member of a resource that it would have to ignore', () => {
    expect(() => read({ Role: { ...role, Condition: 'IsBig' } })).toThrow('"Condition"');
  });
});
