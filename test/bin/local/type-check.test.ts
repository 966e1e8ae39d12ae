import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { typeChecker } from '../../../bin/local/type-check.ts';
import { temporaryDirectory } from '../../support/e2e/temporary-file.ts';

it('reports a type error with file and line, until it is repaired', { timeout: 250_000 }, async () => {
  const project = temporaryDirectory(onTestFinished);
  writeFileSync(join(project, 'tsconfig.json'), '{"compilerOptions":{"types":[]}}');
  writeFileSync(join(project, 'pets.ts'), 'export const name: string = 7;\n');
  const logged = vi.spyOn(console, 'error').mockReturnValue();

  const checkTypes = typeChecker(project, temporaryDirectory(onTestFinished));
  const expectSoon = (line: unknown) =>
    vi.waitFor(() => expect(logged).toHaveBeenLastCalledWith(line), { timeout: 120_000 });

  checkTypes();
  await expectSoon(expect.stringMatching(/^pets\.ts\(1,14\): error TS2322: /));
  writeFileSync(join(project, 'pets.ts'), "export const name: string = '7';\n");
  checkTypes();
  await expectSoon('No type errors.');
});
