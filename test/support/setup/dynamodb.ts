import type { TestProject } from 'vitest/node';
import { readDeployment } from '../../../infra/local/template/deployment.ts';
import { synthesize } from '../infra/synthesize.ts';
import { startDynamodb } from './start-dynamodb.ts';

declare module 'vitest' {
  interface ProvidedContext {
    dynamodbEndpoint: string;
    tables: ReturnType<typeof readDeployment>['tables'];
  }
}

/** Starts the embedded DynamoDB that the unit tests share, and provides the tables declared by the stack. */
export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const stack = synthesize('staging');
  const dynamodb = await startDynamodb();
  provide('dynamodbEndpoint', dynamodb.endpoint);
  provide('tables', readDeployment(stack).tables);
  stack.dispose();
  return dynamodb.close;
}
