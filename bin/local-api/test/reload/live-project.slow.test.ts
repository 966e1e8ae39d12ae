import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { ServedProject } from '../support/served-project.ts';

// The saves of a small project, whose functions, app and compiler run in processes of their own. Both functions read
// `words`.
const words = 'shared/words.ts';
const greet = 'functions/greet.ts';
const app = 'infra/app.ts';

const project = new ServedProject({ run: 'in-processes', mistakeMs: 0 });
beforeAll(() => project.start());
beforeEach(() => project.reset());
afterAll(() => project.stop());

const notReloaded = (file: string) => `Not reloaded: ${file}. The last good version serves.`;

describe('a save', () => {
  it('keeps the functions that it does not change running', async () => {
    const before = await project.get('part');

    project.edit(greet, 'of', 'from');

    await project.prints(`Reloaded in N s: ${greet}`);
    expect(await project.get('greet')).toBe('hello world from world');
    expect(await project.get('part')).toBe(before);
  });
});

describe('a mistake', () => {
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
