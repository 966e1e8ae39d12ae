import { name } from '../shared/names.ts';

const api = 'arn:aws:execute-api:us-east-1:123456789012:Live-Api/*';
const arnOf = (name: string) => `arn:aws:lambda:us-east-1:123456789012:function:Live-${name}`;

/** A function, and the method that invokes it. */
const methodOf = (name: string) => ({
  [name]: {
    Type: 'AWS::Lambda::Function',
    Properties: {
      Code: { S3Key: `${name}.zip` },
      Handler: 'index.handler',
      Role: 'role',
      Runtime: 'nodejs24.x',
      Environment: { Variables: variables },
    },
  },
  [`${name}Permission`]: {
    Type: 'AWS::Lambda::Permission',
    Properties: {
      Action: 'lambda:InvokeFunction',
      FunctionName: arnOf(name),
      Principal: 'apigateway.amazonaws.com',
      SourceArn: api,
    },
  },
  [`${name}Path`]: {
    Type: 'AWS::ApiGateway::Resource',
    Properties: { ParentId: { 'Fn::GetAtt': ['Api', 'RootResourceId'] }, PathPart: name },
  },
  [`${name}Method`]: {
    Type: 'AWS::ApiGateway::Method',
    Properties: {
      AuthorizationType: 'NONE',
      HttpMethod: 'GET',
      Integration: {
        Type: 'AWS_PROXY',
        Uri: `arn:aws:apigateway:us-east-1:lambda:path/2015-03-31/functions/${arnOf(name)}/invocations`,
      },
      ResourceId: { Ref: `${name}Path` },
    },
  },
});

const variables = { NAME: name };

const key = 'id';

export const template = {
  Resources: {
    Api: { Type: 'AWS::ApiGateway::RestApi', Properties: { BinaryMediaTypes: ['*/*'] } },
    Stage: { Type: 'AWS::ApiGateway::Stage', Properties: { StageName: 'live' } },
    Table: {
      Type: 'AWS::DynamoDB::GlobalTable',
      Properties: {
        AttributeDefinitions: [{ AttributeName: key, AttributeType: 'S' }],
        BillingMode: 'PAY_PER_REQUEST',
        KeySchema: [{ AttributeName: key, KeyType: 'HASH' }],
      },
    },
    ...methodOf('greet'),
    ...methodOf('part'),
  },
};
