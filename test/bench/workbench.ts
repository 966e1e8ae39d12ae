import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { ApiKeyStore } from '../../bin/keys/api-key-store.ts';
import { createTables } from '../../infra/local/dynamodb/create-tables.ts';
import { account, operatorAt } from '../../infra/local/template/account.ts';
import { type Deployment, readDeployment } from '../../infra/local/template/deployment.ts';
import { synthesize } from '../../infra/local/template/synthesize.ts';
import { exactIntegers } from '../../shared/lambda/exact-integers.ts';
import { startDynamodbProcess } from './dynamodb.ts';
import { addPets } from './sample-pets.ts';
import { deployedFunctions, type Subject } from './subjects.ts';

const stage = 'production';
const petCount = 100;

const TableNames = v.object({ PetsTableName: v.string(), ApiKeysTableName: v.string() });

/** The deployed functions with a DynamoDB that holds a few pets and a key, all in a folder that goes with it. */
export interface Workbench extends Disposable {
  readonly directory: string;
  readonly functions: readonly Subject[];
  readonly dynamodb: DynamoDBDocumentClient;
  /** Of DynamoDB, without TLS. */
  readonly plainEndpoint: string;
  readonly petsTable: string;
  /** How many indexes a written pet goes into. */
  readonly petIndexCount: number;
  /** How many pets there are. */
  readonly petCount: number;
}

/** Synthesizes the stack, starts a DynamoDB and fills its tables. */
export async function setUpWorkbench(): Promise<Workbench> {
  const stack = synthesize(stage);
  const deployment = readDeployment(stack);
  const { PetsTableName, ApiKeysTableName } = v.parse(TableNames, deployment.stack.outputs);

  const { endpoint, plainEndpoint, certificate, stop } = await startDynamodbProcess();
  const client = new DynamoDBClient(operatorAt(plainEndpoint));
  const dynamodb = DynamoDBDocumentClient.from(client, exactIntegers);
  await createTables(client, deployment.tables);
  const petId = await addPets(dynamodb, PetsTableName, petCount);
  const { key: apiKey } = await new ApiKeyStore(client, ApiKeysTableName, stage).issue({ client: 'bench' });

  const directory = mkdtempSync(join(tmpdir(), 'pet-store-bench-'));
  const certificateFile = join(directory, 'dynamodb.pem');
  writeFileSync(certificateFile, certificate);

  const functions = deployedFunctions(
    deployment,
    { apiKey, petId },
    {
      AWS_REGION: account.region,
      AWS_ACCESS_KEY_ID: 'function',
      AWS_SECRET_ACCESS_KEY: 'none',
      AWS_SESSION_TOKEN: 'none',
      AWS_ENDPOINT_URL: endpoint,
      NODE_EXTRA_CA_CERTS: certificateFile,
    },
  );
  return {
    directory,
    functions,
    dynamodb,
    plainEndpoint,
    petsTable: PetsTableName,
    petIndexCount: indexCountOf(deployment.tables, PetsTableName),
    petCount,
    [Symbol.dispose]() {
      client.destroy();
      stop();
      rmSync(directory, { recursive: true });
      stack.dispose();
    },
  };
}

function indexCountOf(tables: Deployment['tables'], name: string): number {
  const table = tables.find(({ id }) => id === name);
  return table?.properties.GlobalSecondaryIndexes?.length ?? 0;
}
