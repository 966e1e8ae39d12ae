import { expect, it } from 'vitest';
import { npm } from '../../support/local/npm.ts';

it('npm run smoke says what it needs', async () => {
  const run = npm(['run', '--silent', 'smoke'], { env: { ...process.env, BASE_URL: '' } });

  const message = 'npm run smoke tests a deployed stage: set BASE_URL and API_KEY.\n';
  await expect(run).rejects.toMatchObject({ code: 1, stdout: '', stderr: message });
});
