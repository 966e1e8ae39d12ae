import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { temporaryDirectory } from '../../../../test/support/e2e/temporary-file.ts';
import { sourceBuilder } from '../../reload/build-sources.ts';
import { stubProject } from '../support/stub-project.ts';

const handler = 'functions/greet.ts';
const app = 'infra/app.ts';

/** Returns a project of a function and an app, with its builder. */
function startProject(appText: string) {
  const root = `${temporaryDirectory(onTestFinished)}/`;
  const write = (file: string, text: string) => {
    mkdirSync(join(root, file, '..'), { recursive: true });
    writeFileSync(join(root, file), text);
  };
  write(handler, "export const handler = 'hello';");
  write(app, appText);
  const apps: string[] = [];
  const project = {
    ...stubProject,
    root,
    folders: ['functions', 'infra'],
    app,
    contextOf: () => ({}),
    bundledFiles: () => [handler],
    bundleOptions: { absWorkingDir: root, outdir: root, bundle: true, write: false } as const,
    ofServer: /^$/,
    readOnDemand: /^$/,
  };
  const build = sourceBuilder(project, temporaryDirectory(onTestFinished), (text) => apps.push(text));
  return { write, build, apps };
}

describe('a build of the sources', () => {
  it('leaves a part of a package to Node', async () => {
    const { write, build } = startProject("import 'installed/part.js';");
    write('node_modules/installed/part.js', "throw new Error('It is not for a bundle.');");

    expect((await build([])).app).toMatch(/^import "installed\/part\.js";$/m);
  });

  it.each([
    ['a package that is not installed', 'missing'],
    ['a part that a package does not have', 'installed/part.js'],
  ])('names the import of %s, until it is there', async (_title, name) => {
    const { write, build } = startProject(`import '${name}';`);
    write('node_modules/installed/index.js', '');

    const place = `✘ [ERROR] Could not resolve "${name}"\n\n    infra/app.ts:1:7:\n`;
    await expect(build([])).rejects.toThrow(new RegExp(`^${RegExp.escape(place)}.*\n.*$`));
    write(`node_modules/${name}${name === 'missing' ? '/index.js' : ''}`, '');
    expect((await build([])).app).toContain(`import "${name}";`);
  });

  it('does not advise to leave a package out of a function', async () => {
    const { write, build } = startProject('');
    write(handler, "import 'missing';");

    const place = `✘ [ERROR] Could not resolve "missing"\n\n    ${handler}:1:7:\n`;
    await expect(build([])).rejects.toThrow(new RegExp(`^${RegExp.escape(place)}.*\n.*$`));
  });

  it('gives the app before the functions are built', async () => {
    const { write, build, apps } = startProject("console.log('a stack');");
    write(handler, '= 1;');

    await expect(build([])).rejects.toThrow('Unexpected "="');

    expect(apps).toEqual([expect.stringContaining('a stack')]);
  });
});
