import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { temporaryDirectory } from '../../../../test/support/e2e/temporary-file.ts';
import { typeChecker } from '../../reload/check-types.ts';

it('type errors are printed once, until there are others', async () => {
  const root = temporaryDirectory(onTestFinished);
  mkdirSync(join(root, 'node_modules'));
  symlinkSync(resolve('node_modules/typescript'), join(root, 'node_modules/typescript'), 'junction');
  writeFileSync(join(root, 'tsconfig.json'), '{ "compilerOptions": { "types": [] }, "include": ["a.ts"] }');
  using printed = vi.spyOn(console, 'error').mockReturnValue();
  const check = typeChecker(root);
  const checkText = (text: string) => {
    writeFileSync(join(root, 'a.ts'), text);
    return check(new AbortController().signal);
  };
  const mistake = "export const size: number = 'big';";

  await checkText(mistake);
  await checkText(`${mistake} // Saved again.`);
  await checkText('export const size = 1;');
  await checkText(mistake);

  const error = "1 type error:\na.ts(1,14): error TS2322: Type 'string' is not assignable to type 'number'.";
  expect(printed.mock.calls).toEqual([[error], ['No type errors any more.'], [error]]);
});
