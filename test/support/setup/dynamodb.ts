import { mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { project } from '../../../bin/local/this-project.ts';
import { readDeployment } from '../../../bin/local-api/template/deployment.ts';
import { synthesizeIn } from '../infra/synthesize.ts';
import { startDynamodb } from './start-dynamodb.ts';

declare module 'vitest' {
  interface ProvidedContext {
    dynamodbEndpoint: string;
    tables: ReturnType<typeof readDeployment>['tables'];
    environment: Readonly<Record<string, string>>;
  }
}

/** Starts the embedded DynamoDB that unit tests share, and provides the stack's tables and environment. */
export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  using directory = mkdtempDisposableSync(join(tmpdir(), 'pet-store-test-'));
  const stack = synthesizeIn(directory.path, 'staging');
  const dynamodb = await startDynamodb();
  provide('dynamodbEndpoint', dynamodb.endpoint);
  const { tables, functions } = readDeployment(stack, project);
  provide('tables', tables);
  provide('environment', Object.assign({}, ...functions.map(({ environment }) => environment)));
  return dynamodb.close;
}
