import { expect, it, onTestFinished, vi } from 'vitest';
import { openStage } from '../../../bin/keys/stage.ts';
import { startDynamodb } from '../../support/setup/start-dynamodb.ts';

it('openStage says how to deploy a stage that is not there', async () => {
  const { endpoint, close } = await startDynamodb({ name: 'PetStore-staging', outputs: {} });
  onTestFinished(close);
  vi.stubEnv('AWS_ENDPOINT_URL', endpoint);
  vi.stubEnv('AWS_REGION', 'eu-central-1');
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'operator');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'none');

  await expect(openStage({ stage: 'production' })).rejects.toThrow(
    'The stage production is not deployed here: run npx cdk deploy PetStore-production first.',
  );
});

it('openStage sends keys of a deployed stage to no local API', async () => {
  vi.stubEnv('BASE_URL', 'https://abc.execute-api.eu-central-1.amazonaws.com/v1');

  await expect(openStage({ stage: 'local' })).rejects.toThrow(
    'BASE_URL is not the local API: pass --stage with the name of the deployed stage.',
  );
});
