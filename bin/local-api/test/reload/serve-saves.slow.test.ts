import { rmSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { git, startRepository } from '../../../cli/test/support/git.ts';
import { ServedProject } from '../support/served-project.ts';

// A small project, whose app writes a template without the CDK, and two functions: both read `words`, and `greet`
// and the stack read `names`. What runs in processes is tested in live-project.slow.test.ts.
const words = 'shared/words.ts';
const names = 'shared/names.ts';
const greet = 'functions/greet.ts';
const app = 'infra/app.ts';

const notReloaded = (file: string) => `Not reloaded: ${file}. The last good version serves.`;

function serveProject(mistakeMs: number): ServedProject {
  const project = new ServedProject({ run: 'in-this-process', mistakeMs });
  beforeAll(() => project.start());
  beforeEach(() => project.reset());
  afterAll(() => project.stop());
  return project;
}

describe('a project whose mistakes are told at once', () => {
  const project = serveProject(0);

  describe('a save', () => {
    it('of what functions and stack read is served in both at the same time', async () => {
      project.closeGate();
      const greetings = new Set<string>();

      await project.beginSynthesis(() => project.edit(names, 'world', 'moon'));
      greetings.add(await project.get('greet'));
      project.openGate();
      const isServed = async () => {
        greetings.add(await project.get('greet'));
        expect(project.printed()).toBe(`Reloaded in N s: ${names}\n`);
      };
      await vi.waitFor(isServed, { timeout: 60_000, interval: 1 });

      greetings.add(await project.get('greet'));
      expect([...greetings]).toEqual(['hello world of world', 'hello moon of moon']);
    });

    it('of what a function reads together with it waits for the new stack', async () => {
      project.closeGate();
      await project.build('success', () => project.edit(names, 'world', 'sun'));
      await project.build('success', () => project.edit(words, 'hello', 'bye'));
      expect(await project.get('part')).toMatch(/^hello /);
      project.openGate();

      const isServed = async () => expect(await project.get('greet')).toBe('bye sun of sun');
      await vi.waitFor(isServed, { timeout: 60_000 });
      expect(project.printed()).toMatch(/^(Reload.+\n)+$/);
    });

    it('of several files is served whole, even if only some of them need a new stack', async () => {
      project.closeGate();
      await project.build('success', () => {
        project.edit('infra/template.ts', 'NAME: name', "NAME: 'sun'");
        project.edit(words, 'hello', 'bye');
      });

      expect(await project.get('greet')).toBe('hello world of world');
      project.openGate();
      await project.prints(/Reloaded in N s: infra\/template\.ts, shared\/words\.ts\n$/);
      expect(await project.get('greet')).toBe('bye world of sun');
    });

    it('of what only functions read does not wait for the new stack that another file needs', async () => {
      project.closeGate();
      await project.beginSynthesis(() => project.edit('infra/template.ts', 'NAME: name', "NAME: 'sun'"));

      project.edit(words, 'hello', 'bye');

      await project.prints(`Reloaded in N s: ${words}`);
      expect(await project.get('greet')).toBe('bye world of world');
      project.openGate();
      await project.prints('Reloaded in N s: infra/template.ts');
      expect(await project.get('greet')).toBe('bye world of sun');
    });

    it('of a function does not end the synthesis of a new stack', async () => {
      project.closeGate();
      await project.beginSynthesis(() => project.edit(app, 'const { CDK_OUTDIR', '\nconst { CDK_OUTDIR'));
      const begun = project.syntheses();

      for (const word of ['one', 'two', 'three']) {
        project.edit(words, /'.*'/, `'${word}'`);
        await project.prints(`Reloaded in N s: ${words}`);
      }

      project.openGate();
      await project.prints(`Reloaded in N s: ${app}`);
      expect(project.syntheses()).toBe(begun);
    });

    it('is served in time, although another follows it before it is served', async () => {
      project.closeGate();
      await project.beginSynthesis(() => project.edit(names, 'world', 'moon'));
      await project.build('success', () => project.edit(names, 'moon', 'sun'));
      project.openGate();

      await project.prints(`Reloaded in N s: ${names}\nReloaded in N s: ${names}`);
      expect(await project.get('greet')).toBe('hello sun of sun');
    });

    it('whose functions do not start in time is tried again until they do', async () => {
      const timesLeft = `globalThis.timesLeft = (globalThis.timesLeft ?? 3) - 1;`;
      const timeout = `Object.assign(new Error('Task timed out'), { name: 'Sandbox.Timedout' })`;

      project.edit(greet, /$/, `\n${timesLeft}\nif (globalThis.timesLeft > 0) throw ${timeout};\n`);

      const failed = "A function can't start:\nSandbox.Timedout: Task timed out\nTrying again.";
      await project.prints(`${failed}\n${notReloaded(greet)}\nReloaded in N s: ${greet}`);
      expect(await project.get('greet')).toBe('hello world of world');
    });

    it('of what nothing reads, and of what editors keep, prints nothing', async () => {
      for (const file of ['shared/nothing.ts', 'functions/greet.ts~', 'infra/.#app.ts']) {
        writeFileSync(project.path(file), '');
      }
      project.edit(words, 'hello', 'hi');

      await project.prints(`Reloaded in N s: ${words}`);
    });

    it.each(['functions/new.ts', 'infra/data.json'])(
      'of what the stack may read is served: %s',
      async (file) => {
        writeFileSync(project.path(file), 'export const handler = 1;');

        await project.prints(`Reloaded in N s: ${file}`);
      },
    );

    it('of a text that is read on demand is reported', async () => {
      writeFileSync(project.path('infra/a.md'), '');

      await project.prints('Read at the next request: infra/a.md');
    });

    it('of its own module asks once for a restart', async () => {
      project.edit('infra/server/http.ts', 'A module', 'Another module');

      await project.prints('Restart to apply the change: infra/server/http.ts');
    });
  });

  describe('a mistake', () => {
    const unexpected = `✘ [ERROR] Unexpected "="\n\n    ${greet}:1:0:\n      1 │ = 1;\n        ╵ ^`;

    it('is reported once, with its place, until it is repaired', async () => {
      project.edit(greet, /^/, '= 1;\n');

      await project.prints(`${unexpected}\n${notReloaded(greet)}`);
      project.edit(greet, '= 1;\n', '');
      await project.prints(`Reloaded in N s: ${greet}`);
    });

    it('in one file holds back another', async () => {
      project.edit(greet, /^/, '= 1;\n');
      await project.prints(`${unexpected}\n${notReloaded(greet)}`);
      project.edit(words, 'hello', 'welcome');
      await project.prints(`${unexpected}\n${notReloaded(`${greet}, ${words}`)}`);

      expect(await project.get('part')).toMatch(/^hello /);
      project.edit(greet, '= 1;\n', '');
      await project.prints(`Reloaded in N s: ${greet}, ${words}`);
      expect(await project.get('part')).toMatch(/^welcome /);
    });

    it('names six files at most, without control characters', async () => {
      project.edit(greet, /^/, '= 1;\n');
      for (const index of [1, 2, 3, 4, 5, 6, 7]) writeFileSync(project.path(`infra/${index}\u202e.txt`), '');

      const shown = [greet, ...[1, 2, 3, 4, 5].map((index) => `infra/${index}\\u202e.txt`)];
      const outcome = notReloaded(`${shown.join(', ')} and 2 more`);
      await project.prints(new RegExp(`${RegExp.escape(outcome)}\n$`));
    });

    it('of a file that is removed for good is reported', async () => {
      rmSync(project.path(words));

      await project.prints(
        /Could not resolve "\.\.\/shared\/words\.ts"[\s\S]*Not reloaded: .*shared\/words\.ts \(removed\)\. /,
      );
    });
  });
});

describe('an incomplete save', () => {
  const project = serveProject(600_000);

  beforeAll(() => {
    writeFileSync(project.path('.gitignore'), 'node_modules\n*.md\n');
    startRepository(project.directory);
  });

  it.each<[string, (path: string, text: string) => void]>([
    ['in place', writeFileSync],
    [
      'after a removal',
      (path, text) => {
        rmSync(path);
        writeFileSync(path, text);
      },
    ],
  ])('prints no mistake when a file is saved %s', async (how, save) => {
    project.edit(words, 'hello', how, save);

    const isServed = async () => expect(await project.get('greet')).toBe(`${how} world of world`);
    await vi.waitFor(isServed, { timeout: 60_000 });
    // An empty file is a save of its own, if the rest follows late.
    await project.prints(/^((Reloaded in N s: shared\/words\.ts|Reloading…)\n)+$/);
  });

  it('prints nothing when Git writes a file long after it has removed it', async () => {
    await project.build('failure', () => rmSync(project.path(words)));
    git(project.directory, 'checkout', '--quiet', words);

    await project.prints(`Reloaded in N s: ${words}`);
  });

  it('prints nothing when Git switches to another commit', async () => {
    for (const [file, text] of [
      [greet, ' of'],
      [names, 'world'],
      [words, 'hello'],
    ] as const) {
      project.edit(file, text, `${text}!`);
    }
    const isServed = async () => expect(await project.get('greet')).toBe('hello! world! of! world!');
    await vi.waitFor(isServed, { timeout: 60_000 });

    git(project.directory, 'checkout', '--quiet', '.');

    const isServedAgain = async () => expect(await project.get('greet')).toBe('hello world of world');
    await vi.waitFor(isServedAgain, { timeout: 60_000 });
    expect(project.printed()).toMatch(/^(Reload.+\n)+$/);
  });
});
