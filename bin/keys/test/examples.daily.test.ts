import { expect, it } from 'vitest';
import { runCommand } from '../../cli/test/support/command-process.ts';
import { examplesOf } from '../../cli/test/support/examples.ts';
import { spawnLocalApi } from '../../local/test/support/spawn-local-api.ts';

it('npm run keys takes the examples of its usage texts', async () => {
  await using api = await spawnLocalApi(['--pets', '0']);
  const environment = { BASE_URL: api.baseUrl };
  const keys = (args: readonly string[], input = '') =>
    runCommand('bin/keys/keys.ts', args, { environment, input });

  const expiries = await examplesOf('bin/keys/keys.ts', 'issue');
  for (const [option, value] of expiries) {
    const issued = await keys(['issue', '--client', 'acme', option, value, '--json']);
    expect(issued, value).toMatchObject({ exitCode: 0 });
  }
  const issued = await keys(['issue', '--client', 'acme', '--json']);
  const examples = await examplesOf('bin/keys/keys.ts', 'verify');
  const verified = await keys(['verify', ...examples.flat()], JSON.parse(issued.stdout).key);

  expect(expiries.length).toBeGreaterThan(1);
  expect(verified).toMatchObject({ exitCode: 0 });
});
