import { expect, it, onTestFinished, vi } from 'vitest';
import { openStage } from '../../../bin/keys/stage.ts';
import { startDynamodb } from '../../support/setup/start-dynamodb.ts';

/** Serves an account whose only stage is staging. */
async function serve(outputs: Readonly<Record<string, string>>): Promise<void> {
  const { endpoint, close } = await startDynamodb({ name: 'PetStore-staging', outputs });
  onTestFinished(close);
  vi.stubEnv('AWS_ENDPOINT_URL', endpoint);
  vi.stubEnv('AWS_REGION', 'eu-central-1');
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'operator');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'none');
}

it('openStage says how to deploy a stage that is not there', async () => {
  await serve({});

  await expect(openStage({ stage: 'production' })).rejects.toThrow(
    'The stage production is not deployed here: npm run stage -- check production says how.',
  );
});

it('openStage knows the address of a deployed stage', async () => {
  const address = 'https://abc.execute-api.eu-central-1.amazonaws.com/v1';
  await serve({ ApiKeysTableName: 'keys', BaseUrl: address });

  expect(await openStage({ stage: 'staging' })).toMatchObject({ name: 'staging', baseUrl: address });
});

it('openStage sends keys of a deployed stage to no local API', async () => {
  vi.stubEnv('BASE_URL', 'https://abc.execute-api.eu-central-1.amazonaws.com/v1');

  await expect(openStage({ stage: 'local' })).rejects.toThrow(
    'BASE_URL is not the local API: pass --stage with the name of the deployed stage.',
  );
});
