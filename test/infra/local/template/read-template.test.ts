import { describe, expect, it } from 'vitest';
import { readTemplate } from '../../../../infra/local/template/read-template.ts';

const path = (PathPart: unknown, more: Readonly<Record<string, unknown>> = {}) => ({
  Type: 'AWS::ApiGateway::Resource',
  Properties: { ParentId: 'root', RestApiId: 'api', PathPart, ...more },
});
const stage = { Type: 'AWS::ApiGateway::Stage', Properties: { StageName: 'v1' } };
const role = { Type: 'AWS::IAM::Role', Properties: {} };
const named = {
  Table: { Type: 'AWS::DynamoDB::GlobalTable' },
  Restored: { Type: 'AWS::DynamoDB::GlobalTable', Properties: { TableName: 'pets-restored' } },
  Alias: { Type: 'AWS::Lambda::Alias', Properties: { FunctionName: { Ref: 'Role' }, Name: 'live' } },
};

const read = (resources: Readonly<Record<string, unknown>>, outputs = {}) =>
  readTemplate({ Resources: resources, Outputs: outputs }, 'Stack');

describe('readTemplate', () => {
  it('gives the resources of a type, with their names, ARNs and properties, and the outputs', () => {
    const { resourcesOf, outputs } = read(
      { Role: role, Path: path('pets') },
      { RoleName: { Value: { Ref: 'Role' } } },
    );

    expect(resourcesOf('AWS::IAM::Role')).toEqual([
      {
        id: 'Stack-Role',
        arn: 'arn:aws:iam::123456789012:role/Stack-Role',
        properties: { Policies: [], ManagedPolicyArns: [] },
      },
    ]);
    expect(outputs).toEqual({ RoleName: 'Stack-Role' });
  });

  it.each([
    ['a stage', { Ref: 'Stage' }, 'v1'],
    ['a table', { Ref: 'Table' }, 'Stack-Table'],
    ['a table with a name of its own', { Ref: 'Restored' }, 'pets-restored'],
    ['an alias', { Ref: 'Alias' }, 'arn:aws:lambda:us-east-1:123456789012:function:Stack-Role:live'],
    ['the account', { Ref: 'AWS::AccountId' }, '123456789012'],
    ['an ARN', { 'Fn::GetAtt': ['Role', 'Arn'] }, 'arn:aws:iam::123456789012:role/Stack-Role'],
  ])('resolves a reference to %s', (_title, reference, value) => {
    const { resourcesOf } = read({ ...named, Role: role, Stage: stage, Path: path(reference) });

    const [found] = resourcesOf('AWS::ApiGateway::Resource');

    expect(found?.properties.PathPart).toBe(value);
  });

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
  ])('names an unknown %s', (_title, resources, message) => {
    expect(() => read(resources).resourcesOf('AWS::ApiGateway::Resource')).toThrow(new Error(message));
  });

  it('names a member of a resource that it would have to ignore', () => {
    expect(() => read({ Role: { ...role, Condition: 'IsBig' } })).toThrow('"Condition"');
  });
});
