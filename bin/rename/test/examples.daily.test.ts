import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryDirectory } from '../../../test/support/e2e/temporary-file.ts';
import { runCommand } from '../../cli/test/support/command-process.ts';
import { examplesOf } from '../../cli/test/support/examples.ts';
import { startRepository } from '../../cli/test/support/git.ts';

it('npm run rename takes the examples of its usage text', async () => {
  const examples = await examplesOf('bin/rename/rename.ts');

  for (const [, name] of examples) {
    const directory = temporaryDirectory();
    writeFileSync(join(directory, 'README.md'), 'Pet Store');
    startRepository(directory);
    const renamed = await runCommand(resolve('bin/rename/rename.ts'), [name], { project: directory });
    expect(renamed).toMatchObject({ exitCode: 0 });
    expect(readFileSync(join(directory, 'README.md'), 'utf8')).toBe(name);
  }
  expect(examples).not.toEqual([]);
});
