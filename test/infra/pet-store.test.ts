import { expect, it } from 'vitest';
import { runCommand } from '../../bin/cli/test/support/command-process.ts';
import { stackName } from '../../infra/stack-names.ts';

it('the CDK app says how to choose a stage if -c stage is tried', async () => {
  const environment = { ...process.env, CDK_CONTEXT_JSON: '{"stage":"one"}' };

  const { exitCode, stderr } = await runCommand('bin/pet-store.ts', [], { environment });

  const message = `Error: -c stage=one has no effect: name the stack, as in npx cdk diff ${stackName('one')}.\n`;
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining(message)]);
});
