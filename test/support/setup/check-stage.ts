import { describeApiError } from '../../../bin/cli/api-options.ts';
import { fail } from '../../../bin/cli/create-command.ts';
import { PetStoreClient, PetStoreError } from '../../../shared/client/pet-store-client.ts';

// Reports in one line what would make every smoke test fail.
const { API_KEY: apiKey, BASE_URL: baseUrl } = process.env;
try {
  if (!baseUrl || !apiKey) throw new Error('npm run smoke tests a deployed stage: set BASE_URL and API_KEY.');
  await new PetStoreClient({ baseUrl, apiKey }, { retry: 0 }).listPets({ limit: 1 }).next();
} catch (error) {
  const isRejected = error instanceof PetStoreError && error.status === 401;
  fail(isRejected ? '401 unauthorized: check API_KEY.' : describeApiError(error));
}
