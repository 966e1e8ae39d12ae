import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryDirectory } from '../../../../test/support/e2e/temporary-file.ts';
import { readAssembly } from '../../template/assembly.ts';

it('readAssembly reads a template for another account as one for the local account', () => {
  const directory = temporaryDirectory();
  const stack = { type: 'aws:cloudformation:stack', environment: 'aws://999999999999/eu-west-1' };
  writeFileSync(join(directory, 'manifest.json'), JSON.stringify({ artifacts: { pets: stack } }));
  writeFileSync(
    join(directory, 'pets.template.json'),
    '{"arn":"arn:aws:lambda:eu-west-1:999999999999:pets"}',
  );

  expect(readAssembly(directory, 'pets').template).toEqual({
    arn: 'arn:aws:lambda:us-east-1:123456789012:pets',
  });
});
