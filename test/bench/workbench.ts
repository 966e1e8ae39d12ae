import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { ApiKeyStore } from '../../bin/keys/api-key-store.ts';
import { account, arn, operatorAt } from '../../infra/local/template/account.ts';
import { readDeployment } from '../../infra/local/template/deployment.ts';
import { stringifyJson } from '../../shared/contract/json.ts';
import { exampleNewPet, examplePet } from '../../shared/contract/operations.ts';
import { PetStatus } from '../../shared/contract/schemas/pet.ts';
import { exactNumbers } from '../../shared/lambda/exact-numbers.ts';
import { eventOf } from '../support/functions/invoke.ts';
import { synthesize } from '../support/infra/synthesize.ts';
import { createTables } from '../support/setup/create-tables.ts';
import type { DynamodbAddress } from './dynamodb-process.ts';
import type { Build } from './function-process.ts';

const stage = 'production';

/**
 * Sets up the deployed functions with a key and a DynamoDB in another process, where it takes none of their
 * CPU time. Disposing of the workbench removes everything.
 */
export async function setUpWorkbench() {
  const stack = synthesize(stage);
  const { functions, stack: declared, tables } = readDeployment(stack);
  const { PetsTableName: petsTable = '', ApiKeysTableName = '' } = declared.outputs;

  const process = fork(join(import.meta.dirname, 'dynamodb-process.ts'));
  const [{ endpoint, plainEndpoint, certificate }] = (await once(process, 'message')) as [DynamodbAddress];
  const client = new DynamoDBClient(operatorAt(plainEndpoint));
  const dynamodb = DynamoDBDocumentClient.from(client, exactNumbers);
  await createTables(client, tables);
  const { key } = await new ApiKeyStore(client, ApiKeysTableName, stage).issue({ client: 'bench' });

  const directory = mkdtempSync(join(tmpdir(), 'pet-store-bench-'));
  const certificateFile = join(directory, 'dynamodb.pem');
  writeFileSync(certificateFile, certificate);

  const deployed = (name: string, event: unknown): Build => {
    const id = `${name.replaceAll('-', '')}function`;
    const spec = functions.find((candidate) => candidate.name.toLowerCase().includes(id));
    if (!spec) throw new Error(`The stack has no function ${name}.`);
    const environment = {
      ...spec.environment,
      AWS_REGION: account.region,
      AWS_ACCESS_KEY_ID: 'function',
      AWS_SECRET_ACCESS_KEY: 'none',
      AWS_SESSION_TOKEN: 'none',
      AWS_ENDPOINT_URL: endpoint,
      NODE_EXTRA_CA_CERTS: certificateFile,
    };
    return { name, kind: 'deployed', codeDirectory: spec.codeDirectory, environment, event };
  };

  const pets = Array.from({ length: 100 }, (_, index) => petItem(index));
  await Promise.all(pets.map((Item) => dynamodb.send(new PutCommand({ TableName: petsTable, Item }))));

  return {
    functions: [
      deployed('get-pet', eventOf({ pathParameters: { petId: `${petItem(0).id}` } })),
      deployed('list-pets', eventOf({ query: 'status=available' })),
      deployed('create-pet', eventOf({ method: 'POST', body: stringifyJson(exampleNewPet) })),
      deployed('authorizer', {
        type: 'TOKEN',
        authorizationToken: `Bearer ${key}`,
        methodArn: arn('execute-api', 'api/v1/GET/pets'),
      }),
    ] as const,
    /** For other builds of the functions. */
    directory,
    [Symbol.dispose]() {
      client.destroy();
      process.disconnect();
      rmSync(directory, { recursive: true });
      stack.dispose();
    },
  };
}

const petItem = (index: number) => ({
  ...examplePet,
  // As many digits as most ids have.
  id: 2n ** 52n + BigInt(index),
  name: `Pet ${index}`,
  status: PetStatus.options[index % PetStatus.options.length],
  digest: new Uint8Array(32),
});
