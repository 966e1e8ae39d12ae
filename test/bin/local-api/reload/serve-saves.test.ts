import { rmSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { git, startRepository } from '../../../support/local/git.ts';
import { ServedProject } from '../../../support/local-api/served-project.ts';

// A small project, whose app writes a template without the CDK, and two functions: both read `words`, and `greet`
// and the stack read `names`.
const words = 'shared/words.ts';
const names = 'shared/names.ts';
const greet = 'functions/greet.ts';
const app = 'infra/app.ts';

function serveProject(mistakeMs: number): ServedProject {
  const project = new ServedProject({ mistakeMs });
  beforeAll(() => project.start());
  beforeEach(() => project.reset());
  afterAll(() => project.stop());
  return project;
}

describe('a project whose mistakes are told at once', () => {
  const project = serveProject(0);

  describe('a save', () => {
    it('keeps the functions that it does not change running', async () => {
      const before = await project.get('part');

      project.edit(greet, 'of', 'from');

      await project.prints(`Reloaded in N s: ${greet}`);
      expect(await project.get('greet')).toBe('hello world from world');
      expect(await project.get('part')).toBe(before);
    });

    it('of what functions and stack read is served in both at the same time', async () => {
      project.closeGate();
      const greetings = new Set<string>();
      const isPrinted = async (text: string) => {
        greetings.add(await project.get('greet'));
        expect(project.printed()).toMatch(text);
      };

      project.edit(names, 'world', 'moon');
      await vi.waitFor(() => isPrinted('Reloading…'), { timeout: 60_000, interval: 20 });
      project.openGate();
      await vi.waitFor(() => isPrinted('Reloaded'), { timeout: 60_000, interval: 20 });

      await project.prints(`Reloaded in N s: ${names}`);
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
      project.edit('infra/template.ts', 'NAME: name', "NAME: 'sun'");
      await vi.waitFor(() => expect(project.printed()).toBe('Reloading…\n'), { timeout: 60_000 });

      project.edit(words, 'hello', 'bye');

      await project.prints(`Reloaded in N s: ${words}`);
      expect(await project.get('greet')).toBe('bye world of world');
      project.openGate();
      await project.prints('Reloaded in N s: infra/template.ts');
      expect(await project.get('greet')).toBe('bye world of sun');
    });

    it('of a function does not end the synthesis of a new stack', async () => {
      project.edit(app, 'const { CDK_OUTDIR', 'await pause(3000);\nconst { CDK_OUTDIR');
      await vi.waitFor(() => expect(project.printed()).toBe('Reloading…\n'), { timeout: 60_000 });

      for (let save = 0; !project.printed().includes(`: ${app}\n`); save += 1) {
        project.edit(words, /'.*'/, `'${save}'`);
        await pause(200);
      }

      // Of one synthesis: had another begun, it would have been announced.
      const ofStack = project.printed().replaceAll(/^Reloaded in N s: shared.words\.ts\n/gm, '');
      expect(ofStack).toMatch(new RegExp(`^Reloading…\nReloaded in N s: ${RegExp.escape(app)}\n$`));
    });

    it('is served in time, although another follows it before it is served', async () => {
      // Each synthesis takes longer than the time between two saves.
      project.edit(app, 'const { CDK_OUTDIR', 'await pause(1500);\nconst { CDK_OUTDIR');
      await project.prints(`Reloaded in N s: ${app}`);
      const greetings = new Set<string>();

      for (let save = 0; save < 40; save += 1) {
        project.edit(names, /'.*'/, `'${save}'`);
        await pause(100);
        greetings.add(await project.get('greet'));
      }

      expect(greetings.size).toBeGreaterThan(1);
      for (const greeting of greetings) expect(greeting).toMatch(/^hello (\w+) of \1$/);
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
    const notReloaded = (file: string) => `Not reloaded: ${file}. The last good version serves.`;
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

    it('at the start of one function replaces none', async () => {
      await project.get('greet');
      const before = await project.get('part');
      const isGreet = "process.env['AWS_LAMBDA_FUNCTION_NAME'] === 'Live-greet'";
      project.edit(words, /^/, `if (${isGreet}) throw new Error('no words');\n`);

      await project.prints(
        /^functions\/greet\.ts can't start:\nError: no words\n( {4}at .*\n)+Not reloaded: shared\/words\.ts\. /,
      );
      expect(await project.get('greet')).toBe('hello world of world');
      expect(await project.get('part')).toBe(before);
    });

    it('that never ends is replaced at once by its repair', async () => {
      await project.get('greet');
      project.edit(greet, /$/, 'for (;;);\n');
      await vi.waitFor(() => expect(project.printed()).toBe('Reloading…\n'), { timeout: 60_000 });

      project.edit(greet, 'for (;;);\n', '');

      await project.prints(`Reloaded in N s: ${greet}`);
      expect(await project.get('greet')).toBe('hello world of world');
    });

    it('in the keys of a table asks for a restart, until the way back', async () => {
      project.edit('infra/template.ts', "'id'", "'name'");
      await project.prints(
        `The keys or indexes of Live-Table have changed: restart to apply that.\n${notReloaded('infra/template.ts')}`,
      );

      project.edit(words, 'hello', 'bye');
      await project.prints(`Reloaded in N s: ${words}`);
      project.edit('infra/template.ts', "'name'", "'id'");

      await project.prints('Reloaded in N s: infra/template.ts');
      expect(await project.get('greet')).toBe('bye world of world');
    });

    it('of the app that never ends is replaced by its repair, and holds back no function', async () => {
      project.edit(app, /$/, 'for (;;);\n');
      await vi.waitFor(() => expect(project.printed()).toBe('Reloading…\n'), { timeout: 60_000 });

      project.edit(words, 'hello', 'bye');
      await project.prints(`Reloaded in N s: ${words}`);
      project.edit(app, 'for (;;);\n', '');

      await project.prints(`Reloaded in N s: ${app}`);
    });

    it('of the app is reported', async () => {
      project.edit(app, /^/, "throw new Error('no stack'); ");

      await project.prints(`Error: no stack\n    at ${app}:1:7\n${notReloaded(app)}`);
    });

    it('in types is reported in the background until it is repaired', async () => {
      project.edit(words, /$/, "export const size: number = 'big';\n");

      const place = `${words}(3,14): error TS2322: Type 'string' is not assignable to type 'number'.`;
      await project.printsTypes(`s: ${words}\n1 type error:\n${place}\n`);
      project.edit(words, /export const size.*/, '');
      await project.printsTypes(`s: ${words}\nNo type errors any more.\n`);
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
