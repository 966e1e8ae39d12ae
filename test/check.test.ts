import { expect, it } from 'vitest';
import { npm } from '../bin/cli/test/support/npm.ts';

it('npm run check finds no mistake in types or style', async () => {
  const mistakes = await npm(['run', '--silent', 'check']).then(
    () => '',
    ({ stdout, stderr }) => `${stdout}${stderr}`,
  );

  expect(mistakes).toBe('');
});
