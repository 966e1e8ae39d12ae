import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { typeChecker } from '../../../bin/local/type-check.ts';
import { temporaryDirectory } from '../../support/e2e/temporary-file.ts';

it('reports type errors with file and line', async () => {
  const project = temporaryDirectory(onTestFinished);
  writeFileSync(join(project, 'tsconfig.json'), '{"compilerOptions":{"types":[]}}');
  writeFileSync(join(project, 'pets.ts'), 'export const name: string = 7;\n');
  const logged = vi.spyOn(console, 'error').mockReturnValue();

  typeChecker(project)();

  const error = expect.stringMatching(/^pets\.ts\(1,14\): error TS2322: /);
  await vi.waitFor(() => expect(logged).toHaveBeenCalledWith(error), { timeout: 25_000 });
});
