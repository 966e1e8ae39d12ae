import { join } from 'node:path';
import { LambdaIntegration, RestApi } from 'aws-cdk-lib/aws-apigateway';
import { AttributeType, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import { App, Duration, Stack } from 'aws-cdk-lib/core';
import { temporaryDirectory } from '../../../../test/support/e2e/temporary-file.ts';
import { readAssembly } from '../../template/assembly.ts';

/**
 * Synthesizes a service that has nothing of this project: two tables, one with a composite key, and a stage without
 * settings of its methods, and without responses of API Gateway's own.
 */
export function notesAssembly() {
  const outdir = temporaryDirectory();
  const app = new App({ outdir, analyticsReporting: false, builtinCloudFormationValidation: false });
  const stack = new Stack(app, 'Notes');
  const boards = new TableV2(stack, 'Boards', { partitionKey: { name: 'id', type: AttributeType.STRING } });
  const notes = new TableV2(stack, 'Notes', {
    partitionKey: { name: 'board', type: AttributeType.STRING },
    sortKey: { name: 'number', type: AttributeType.NUMBER },
  });
  const handler = new LambdaFunction(stack, 'Handler', {
    runtime: Runtime.NODEJS_24_X,
    handler: 'index.handler',
    // By default 3 s, for which a busy machine may be too slow.
    timeout: Duration.minutes(1),
    code: Code.fromAsset(join(import.meta.dirname, 'notes-service')),
    environment: { BOARDS: boards.tableName, NOTES: notes.tableName },
  });
  for (const table of [boards, notes]) {
    table.grant(handler, 'dynamodb:Query', 'dynamodb:PutItem', 'dynamodb:UpdateItem', 'dynamodb:DeleteItem');
  }
  const api = new RestApi(stack, 'Api', { binaryMediaTypes: ['*/*'] });
  const ofTable = api.root.addResource('{table}');
  const integration = new LambdaIntegration(handler);
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) ofTable.addMethod(method, integration);
  app.synth();
  return readAssembly(outdir, 'Notes');
}
