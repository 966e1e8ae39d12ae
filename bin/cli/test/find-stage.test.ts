import { expect, it, onTestFinished, vi } from 'vitest';
import { startDynamodb } from '../../../test/support/setup/start-dynamodb.ts';
import { findStage } from '../find-stage.ts';

/** Serves an account whose only stage is staging. */
async function serve(outputs: Readonly<Record<string, string>>): Promise<void> {
  const { endpoint, close } = await startDynamodb({ name: 'PetStore-staging', outputs });
  onTestFinished(close);
  vi.stubEnv('AWS_ENDPOINT_URL', endpoint);
  vi.stubEnv('AWS_REGION', 'eu-central-1');
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'operator');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'none');
}

it('findStage says how to deploy a stage that is not there', async () => {
  await serve({});

  await expect(findStage({ stage: 'production' })).rejects.toThrow(
    'The stage production is not deployed here: docs/deploying.md says how.',
  );
});

it('findStage knows the address of a deployed stage', async () => {
  const address = 'https://abc.execute-api.eu-central-1.amazonaws.com/v1';
  await serve({ BaseUrl: address });

  expect(await findStage({ stage: 'staging' })).toMatchObject({ name: 'staging', baseUrl: address });
});

it('findStage takes no address that a shell would execute', async () => {
  await serve({ BaseUrl: 'https://abc.example/v1;curl' });

  expect(await findStage({ stage: 'staging' })).toMatchObject({ baseUrl: undefined });
});

it('findStage knows which outputs a stack lacks', async () => {
  await serve({ ApiKeysTableName: 'keys' });

  const { output } = await findStage({ stage: 'staging' });

  expect(output('ApiKeysTableName')).toBe('keys');
  expect(() => output('PetsTableName')).toThrow('The stage staging is not deployed here: docs/deploying.md');
});

it('findStage sends nothing for a deployed stage to a local API', async () => {
  vi.stubEnv('BASE_URL', 'https://abc.execute-api.eu-central-1.amazonaws.com/v1');

  await expect(findStage({ stage: 'local' })).rejects.toThrow(
    'BASE_URL is not the local API: pass the name of the deployed stage.',
  );
});
