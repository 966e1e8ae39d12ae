import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { ApiKeyStore } from '../../bin/keys/api-key-store.ts';
import { account, operatorAt } from '../../infra/local/template/account.ts';
import { readDeployment } from '../../infra/local/template/deployment.ts';
import { exactIntegers } from '../../shared/lambda/exact-integers.ts';
import { synthesize } from '../support/infra/synthesize.ts';
import { createTables } from '../support/setup/create-tables.ts';
import { deployedBuilds } from './builds/builds.ts';
import type { Build } from './lambda/function-process.ts';
import { addPets } from './sample-pets.ts';

const stage = 'production';

const TableNames = v.object({ PetsTableName: v.string(), ApiKeysTableName: v.string() });

/** Where the DynamoDB of another process is reached. */
export type DynamodbAddress = v.InferOutput<typeof DynamodbAddress>;
const DynamodbAddress = v.object({
  /** With TLS, as functions reach DynamoDB once they are deployed. */
  endpoint: v.string(),
  /** Without TLS. */
  plainEndpoint: v.string(),
  /** The certificate that a function must trust, in PEM. */
  certificate: v.string(),
});

/** How many pets there are at first. */
export const samplePetCount = 100;

export type Workbench = Awaited<ReturnType<typeof setUpWorkbench>>;

/**
 * Sets up the deployed functions with a DynamoDB that holds a few pets and a key, in a process where it takes no time of
 * the functions'; all of it goes with the workbench.
 */
export async function setUpWorkbench() {
  const stack = synthesize(stage);
  const deployment = readDeployment(stack);
  const { PetsTableName: petsTable, ApiKeysTableName } = v.parse(TableNames, deployment.stack.outputs);

  const process = fork(fileURLToPath(new URL('./dynamodb-process.ts', import.meta.url)));
  const [address] = await once(process, 'message');
  const { endpoint, plainEndpoint, certificate } = v.parse(DynamodbAddress, address);
  const client = new DynamoDBClient(operatorAt(plainEndpoint));
  const dynamodb = DynamoDBDocumentClient.from(client, exactIntegers);
  await createTables(client, deployment.tables);
  const petId = await addPets(dynamodb, petsTable, samplePetCount);
  const { key: apiKey } = await new ApiKeyStore(client, ApiKeysTableName, stage).issue({ client: 'bench' });

  const directory = mkdtempSync(join(tmpdir(), 'pet-store-bench-'));
  const certificateFile = join(directory, 'dynamodb.pem');
  writeFileSync(certificateFile, certificate);

  return {
    directory,
    functions: deployedBuilds(
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
    ),
    dynamodb,
    plainEndpoint,
    petsTable,
    [Symbol.dispose]() {
      client.destroy();
      process.disconnect();
      rmSync(directory, { recursive: true });
      stack.dispose();
    },
  };
}

/** The function of a name. */
export function functionNamed(name: string, { functions }: Workbench): Build {
  const found = functions.find((candidate) => candidate.name === name);
  if (!found) throw new Error(`There is no function ${name}.`);
  return found;
}
