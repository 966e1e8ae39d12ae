import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { temporaryDirectory } from '../../../support/e2e/temporary-file.ts';
import { CommandProcess } from '../../../support/local/command-process.ts';

// A small project, whose app writes a template without the CDK, and two functions: both read `words`, and `greet`
// and the stack read `names`.
const root = join(temporaryDirectory(), 'project');
const pathOf = (file: string) => join(root, file);
const read = (file: string) => readFileSync(pathOf(file), 'utf8');
const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: root });
const words = 'shared/words.ts';
const names = 'shared/names.ts';
const greet = 'functions/greet.ts';
const app = 'infra/app.ts';

let live: CommandProcess;
let baseUrl = '';
let checked = 0;

beforeAll(async () => {
  cpSync('test/support/local/live-project', root, { recursive: true });
  symlinkSync(resolve('node_modules'), pathOf('node_modules'), 'junction');
  writeFileSync(pathOf('.gitignore'), 'node_modules\n');
  git('init', '--quiet');
  git('add', '--all');
  git(
    '-c',
    'user.name=test',
    '-c',
    'user.email=test@example.com',
    'commit',
    '--quiet',
    '--no-gpg-sign',
    '-m',
    'A',
  );
  live = new CommandProcess(resolve('test/support/local/serve-live-project.ts'), [], { project: root });
  [baseUrl] = await live.printed('stdout', /^http.*live$/m);
});
afterAll(() => live.exit('SIGTERM'));

const get = async (path: string) => (await fetch(`${baseUrl}/${path}`)).text();

type Save = (path: string, text: string) => void;

const saves: Readonly<Record<string, Save>> = {
  'in place': writeFileSync,
  'by rename': (path: string, text: string) => {
    writeFileSync(`${path}A1b2`, text);
    renameSync(`${path}A1b2`, path);
  },
};

/** chokidar may miss a second one that soon follows. */
const savesOnce: Readonly<Record<string, Save>> = {
  ...saves,
  'after a removal': (path: string, text: string) => {
    rmSync(path);
    writeFileSync(path, text);
  },
};

function edit(file: string, from: string | RegExp, to: string, save: Save = writeFileSync): void {
  const before = read(file);
  const after = before.replace(from, () => to);
  expect(after).not.toBe(before);
  save(pathOf(file), after);
}

/** Returns what was printed since the last call of `prints`. */
const printed = () =>
  live
    .printedUntilNow('stderr')
    .slice(checked)
    .replaceAll(/(?<= in )[\d.]+(?= s: )/g, 'N');

/** Waits until exactly this was printed since the last call; a slow machine may announce any reload. */
async function prints(expected: string | RegExp): Promise<void> {
  const pattern = typeof expected === 'string' ? new RegExp(`^${RegExp.escape(expected)}\n$`) : expected;
  await vi.waitFor(() => expect(printed().replace('Reloading…\n', '')).toMatch(pattern), {
    timeout: 60_000,
    interval: 20,
  });
  checked = live.printedUntilNow('stderr').length;
}

describe('a save', { timeout: 120_000 }, () => {
  it.each(Object.entries(savesOnce))('of a file that functions read is served %s', async (how, save) => {
    edit(words, /'.*'/, `'saved ${how}'`, save);

    await prints(`Reloaded in N s: ${words}`);
    expect(await get('greet')).toBe(`saved ${how} world of world`);
  });

  it('keeps the functions that it does not change running', async () => {
    const before = await get('part');

    edit(greet, 'of', 'from');

    await prints(`Reloaded in N s: ${greet}`);
    expect(await get('greet')).toMatch(/ world from world$/);
    expect(await get('part')).toBe(before);
  });

  it('of what functions and stack read is served in both at the same time', async () => {
    edit(app, '// Writes', 'await new Promise((resolve) => setTimeout(resolve, 1500));\n// Writes');
    await vi.waitFor(() => expect(printed()).toBe('Reloading…\n'), { timeout: 60_000, interval: 20 });
    await prints(`Reloaded in N s: ${app}`);
    const greetings = new Set<string>();
    edit(names, 'world', 'moon');

    const isServed = async () => {
      greetings.add(/\w+ from \w+$/.exec(await get('greet'))?.[0] ?? '');
      expect(live.printedUntilNow('stderr').slice(checked)).toMatch(/Reloaded/);
    };
    await vi.waitFor(isServed, { timeout: 60_000, interval: 20 });

    await prints(`Reloaded in N s: ${names}`);
    expect(await get('greet')).toMatch(/ moon from moon$/);
    expect([...greetings]).toEqual(['world from world', 'moon from moon']);
  });

  it('takes over what an older one has not served yet', async () => {
    edit(names, 'moon', 'sun');
    await pause(500);
    edit(words, /'.*'/, "'bye'");

    await prints(`Reloaded in N s: ${names}, ${words}`);
    expect(await get('greet')).toBe('bye sun from sun');
  });

  it('of many files by Git is one', async () => {
    git('checkout', '--quiet', '.');

    await prints(`Reloaded in N s: ${[greet, app, names, words].join(', ')}`);
    expect(await get('greet')).toBe('hello world of world');
  });

  it.each([
    ['what nothing reads', 'shared/nothing.ts'],
    ['a copy of an editor', 'functions/greet.ts~'],
    ['a lock of Emacs', 'infra/.#app.ts'],
  ])('of %s prints nothing', async (_title, file) => {
    writeFileSync(pathOf(file), '');
    await pause(300);
    edit(words, 'hello', 'hi');
    rmSync(pathOf(file));

    await prints(`Reloaded in N s: ${words}`);
    edit(words, 'hi', 'hello');
    await prints(`Reloaded in N s: ${words}`);
  });

  it('names six files at most, without control characters', async () => {
    const files = Array.from({ length: 7 }, (_, index) => `infra/${index}\u202e.txt`);
    mkdirSync(pathOf('infra/empty'));
    for (const file of files) writeFileSync(pathOf(file), '');

    const shown = files.slice(0, 6).map((file) => file.replace('\u202e', '\\u202e'));
    await prints(`Reloaded in N s: ${shown.join(', ')} and 1 more`);
    for (const file of files) rmSync(pathOf(file));
  });

  it('of a text that is read on demand is reported', async () => {
    mkdirSync(pathOf('infra/texts'));
    writeFileSync(pathOf('infra/texts/a.md'), '');

    await prints('Reloaded in N s: infra/texts/a.md');
  });
});

describe('a mistake', { timeout: 120_000 }, () => {
  const notReloaded = (file: string) => `Not reloaded: ${file}. The last good version serves.`;

  it.each(Object.entries(saves))('that is saved %s is reported once, with its place', async (_how, save) => {
    edit(greet, /^/, '= 1;\n', save);

    const place = `    ${greet}:1:0:\n      1 │ = 1;\n        ╵ ^`;
    await prints(`✘ [ERROR] Unexpected "="\n\n${place}\n${notReloaded(greet)}`);
    edit(greet, '= 1;\n', '', save);
    await prints(`Reloaded in N s: ${greet}`);
  });

  it('in one file holds back another', async () => {
    edit(greet, /^/, '= 1;\n');
    await prints(/Not reloaded: functions\/greet\.ts\. /);
    edit(words, 'hello', 'welcome');
    await prints(new RegExp(`Unexpected "="[^]*\n${RegExp.escape(notReloaded(`${greet}, ${words}`))}\n$`));

    expect(await get('part')).toMatch(/^hello /);
    git('checkout', '--quiet', greet);
    await prints(`Reloaded in N s: ${greet}, ${words}`);
    expect(await get('part')).toMatch(/^welcome /);
    git('checkout', '--quiet', words);
    await prints(`Reloaded in N s: ${words}`);
  });

  it('at the start of one function replaces none', async () => {
    await get('greet');
    const before = await get('part');
    edit(
      words,
      /^/,
      "if (process.env['AWS_LAMBDA_FUNCTION_NAME'] === 'Live-greet') throw new Error('no words');\n",
    );

    await prints(
      /^functions\/greet\.ts can't start:\nError: no words\n( {4}at .*\n)+Not reloaded: shared\/words\.ts\. /,
    );
    expect(await get('greet')).toBe('hello world of world');
    expect(await get('part')).toBe(before);
    git('checkout', '--quiet', words);
    await prints(/^(No type errors any more\.\n)?Reloaded in N s: shared\/words\.ts\n$/);
  });

  it('that never ends at the start of a function is reported after 5 s', async () => {
    edit(greet, /$/, 'for (;;);\n');

    await prints(
      /^functions\/greet\.ts can't start:\nSandbox\.Timedout: Task timed out after 5\.00 seconds\n.*\n?Not /,
    );
    expect(await get('greet')).toBe('hello world of world');
    git('checkout', '--quiet', greet);
    await prints(`Reloaded in N s: ${greet}`);
  });

  it('that never ends is replaced at once by its repair', async () => {
    edit(greet, /$/, 'for (;;);\n');
    await vi.waitFor(() => expect(printed()).toBe('Reloading…\n'), { timeout: 60_000, interval: 20 });

    git('checkout', '--quiet', greet);

    await prints(`Reloaded in N s: ${greet}`);
    expect(await get('greet')).toBe('hello world of world');
  });

  it('in the keys of a table asks for a restart', async () => {
    edit('infra/template.ts', "'id'", "'name'");

    const reason = 'The keys or indexes of Live-Table have changed: restart to apply the change.';
    await prints(`${reason}\n${notReloaded('infra/template.ts')}`);
    git('checkout', '--quiet', '.');
    await prints('Reloaded in N s: infra/template.ts');
  });

  it.each([
    ["throw new Error('no stack');", /^Error: no stack\n {4}at infra\/app\.ts:1:7\n$/],
    ["throw 'no stack';", /^This was thrown, which is not an error: no stack\n$/],
    ['process.exit();', /^The CDK app ended before it wrote the stack\.\n$/],
    ['process.exit(3);', /^The CDK app ended with exit code 3\.\n$/],
    ['await new Promise(() => {});', /^The CDK app awaits a promise that nothing can settle any more\.\n$/],
  ])('of the app is reported: %s', async (statement, message) => {
    edit(app, /^/, `${statement} `);

    const outcome = `${notReloaded(app)}\n`;
    await prints(new RegExp(`${message.source.replace('$', '')}${RegExp.escape(outcome)}`));
    git('checkout', '--quiet', app);
    await prints(/Reloaded in N s: infra\/app\.ts\n$/);
  });

  it('in types is reported in the background until it is repaired', async () => {
    edit(words, /$/, "export const size: number = 'big';\n");

    const place = `${words}(3,14): error TS2322: Type 'string' is not assignable to type 'number'.`;
    await prints(`Reloaded in N s: ${words}\n1 type error:\n${place}`);
    git('checkout', '--quiet', words);
    await prints(`Reloaded in N s: ${words}\nNo type errors any more.`);
  });
});

it.each(Object.entries(saves))(
  'asks once for a restart when its own module is saved %s',
  async (_how, save) => {
    mkdirSync(pathOf('infra/server'), { recursive: true });
    writeFileSync(pathOf('infra/server/http.ts'), '');
    await prints('Restart to apply the change: infra/server/http.ts');

    save(pathOf('infra/server/http.ts'), '// Changed');

    await prints('Restart to apply the change: infra/server/http.ts');
  },
);
