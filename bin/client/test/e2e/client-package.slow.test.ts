import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stringifyJson } from '../../../../shared/contract/json.ts';
import type { Operation } from '../../../../shared/contract/operation.ts';
import { examplePet } from '../../../../shared/pets/operations.ts';
import { description, operations } from '../../../../shared/service.ts';
import { missingLinksOf } from '../../../../test/support/docs/markdown.ts';
import { apiKey, baseUrl } from '../../../../test/support/e2e/api-client.ts';
import { temporaryDirectory } from '../../../../test/support/e2e/temporary-file.ts';
import { npm } from '../../../cli/test/support/npm.ts';
import { respond, startStubApi } from '../../../cli/test/support/stub-api.ts';
import { packageVersion } from '../../../cli/write-package.ts';
import { longDate } from '../../../reference/document.ts';
import { pageGuide } from '../../../reference/page-guide.ts';
import client from '../../package/package.json' with { type: 'json' };
import { samples } from '../../reference-samples.ts';
import { LanguageServer } from '../support/language-server.ts';

const run = promisify(execFile);
const pet = stringifyJson(examplePet);

/** Returns the TypeScript in Markdown. */
const typescriptIn = (markdown: string) =>
  [...markdown.matchAll(/```ts\n(.+?)```/gs)].map(([, code = '']) => code);

/** Compiles only if every type of the client is resolved: with `any`, nothing would be an error. */
const wrong = `import { PetStoreClient } from '${client.name}';
// @ts-expect-error
const api = new PetStoreClient({ baseUrl: '', apiKey: '', retries: 'never' });
const { pets: [pet] } = await api.listPets();
// @ts-expect-error
pet?.id satisfies string;
// @ts-expect-error
if (pet) pet.name = 'Max';
`;

/** Each call that the reference shows. */
const calls = `import { PetStoreClient } from '${client.name}';
const api = new PetStoreClient({ baseUrl: '', apiKey: '' });
${Object.values(samples.calls)
  .map((call) => `{ ${call} }`)
  .join('\n')}`;

const required = `import { PetStoreError, parseJson } from '${client.name}';
const isSame = import('${client.name}').then((imported) => imported.PetStoreError === PetStoreError);
isSame.then((same) => console.log(parseJson('9223372036854775807'), PetStoreError.name, same));
`;

/** Makes a program of what a page shows: its imports come first, and what is shown elsewhere is declared. */
function programOf(code: string): string {
  const imports = code.match(/^import .*$/gm) ?? [];
  const rest = code.replaceAll(/^import .*$/gm, '');
  const others = `import type { Pet as APet } from '${client.name}';
import { PetStoreClient as Client } from '${client.name}';
declare const api: Client, pet: APet;`;
  return `${imports.join('\n')}\n${others}\n{\n${rest}}\n`;
}

describe('the package that npm run client builds', { timeout: 120_000 }, () => {
  const project = temporaryDirectory();
  const installed = join(project, 'node_modules', client.name);
  let tarball = '';
  let pagesExample = '';

  beforeAll(async () => {
    await npm(['run', 'client', '--', '--output', project]);
    [tarball = ''] = readdirSync(project);
    // As `npm init -y` writes it.
    writeFileSync(join(project, 'package.json'), '{"type":"commonjs"}');
    await npm(['install', '--offline', '--ignore-scripts', tarball], { cwd: project });
    // Copied from this project, not fetched from a registry.
    cpSync('node_modules/undici', join(project, 'node_modules/undici'), { recursive: true });
    const code = typescriptIn(readFileSync(join(installed, 'README.md'), 'utf8'));
    pagesExample = code.find((text) => text.includes('nextCursor')) ?? '';
    const programs = {
      ...Object.fromEntries(code.map((text, index) => [`sample-${index}.mts`, programOf(text)])),
      'pets.mts': code.find((text) => text.includes('const bella')) ?? '',
      'sync.mts': code.find((text) => text.includes('sync-')) ?? '',
      'quickstart.mts': typescriptIn(pageGuide({ baseUrl }))[0] ?? '',
      'calls.mts': calls,
      'wrong.mts': wrong,
      'required.cts': required,
    };
    for (const [file, text] of Object.entries(programs)) writeFileSync(join(project, file), text);
  }, 120_000);

  /** Returns the errors of a strict TypeScript project. */
  async function compile(files: readonly string[], options: object): Promise<string> {
    const compilerOptions = {
      target: 'es2023',
      lib: ['esnext', 'dom'],
      strict: true,
      skipLibCheck: true,
      types: ['node'],
      typeRoots: [resolve('node_modules/@types')],
      ...options,
    };
    const config = join(project, 'tsconfig.json');
    writeFileSync(config, JSON.stringify({ compilerOptions, files }));
    const tsc = run(process.execPath, ['node_modules/typescript/bin/tsc', '-p', config]);
    // If it fails, its output has the errors.
    const { stdout } = await tsc.catch((error: { readonly stdout: string }) => error);
    return stdout;
  }

  it('lets a project with the resolution nodenext compile every sample', async () => {
    const files = readdirSync(project).filter((file) => /\.[cm]ts$/.test(file));

    expect(await compile(files, { module: 'nodenext', noEmit: true })).toBe('');
    expect(files.length).toBeGreaterThan(5);
  });

  it("lets a bundler's project compile a sample", async () => {
    // A browser has no types of Node.
    const options = { module: 'esnext', moduleResolution: 'bundler', types: [], noEmit: true };

    expect(await compile(['wrong.mts'], options)).toBe('');
  });

  it('can be required by CommonJS, compiled with the resolution node16', async () => {
    expect(await compile(['required.cts', 'wrong.mts'], { module: 'node16' })).toBe('');

    const { stdout, stderr } = await run(process.execPath, ['required.cjs'], { cwd: project });

    expect(readFileSync(join(project, 'required.cjs'), 'utf8')).toContain('require(');
    expect(stdout).toBe('9223372036854775807n PetStoreError true\n');
    expect(stderr).toBe('');
  });

  it('is required where modules cannot be, as in Jest', async () => {
    const args = ['--no-experimental-require-module', '-p', `require('${client.name}').PetStoreError.name`];

    expect((await run(process.execPath, args, { cwd: project })).stdout).toBe('PetStoreError\n');
  });

  it('goes on with the page that failed if its example runs again', async () => {
    const onPage = (name: string, Link = '') => respond(200, `[${pet.replace('Bella', name)}]`, { Link });
    const next = '</v1/pets?cursor=x>; rel="next"';
    const stub = await startStubApi(onPage('Bella', next), respond(401, '{}'), onPage('Milo'));
    const imports = `import { PetStoreClient } from '${client.name}';\n`;
    const api = `const api = new PetStoreClient({ baseUrl: '${stub.baseUrl}', apiKey: 'secret' });\n`;
    writeFileSync(join(project, 'run.mts'), `${imports}${api}${pagesExample}`);
    const read = () => run(process.execPath, ['run.mts'], { cwd: project });

    await expect(read()).rejects.toMatchObject({ stdout: expect.stringMatching(/^\d+ Bella\n$/) });
    expect((await read()).stdout).toMatch(/^\d+ Milo\n$/);

    expect(stub.requests.map(({ url }) => url)).toStrictEqual([
      '/v1/pets?limit=100&status=available',
      '/v1/pets?limit=100&status=available&cursor=x',
      '/v1/pets?limit=100&status=available&cursor=x',
    ]);
    expect(readdirSync(project)).not.toContain('cursor');
  });

  describe('in an editor', () => {
    const server = new LanguageServer();
    beforeAll(() => server.start());
    afterAll(() => server[Symbol.asyncDispose]());

    it('shows the text of each field', async () => {
      const file = join(project, 'hover.mts');
      writeFileSync(
        file,
        `import { PetStoreClient } from '${client.name}';
const api = new PetStoreClient({ baseUrl: '', apiKey: '' });
const { pet, isReplayed } = await api.createPet({ name: 'Bella', categoryId: 1n, status: 'sold' });
console.log(pet.id, pet.status, pet.name);
for await (const each of api.listPets()) console.log(each.categoryId);
`,
      );

      const [name, sent, status, id, received, categoryId, list, replayed] = await server.hoversOver(file, [
        "name: 'Bella'",
        'categoryId: 1n',
        "status: 'sold'",
        'id, pet.status',
        'status, pet.name',
        'categoryId);',
        'listPets()',
        'isReplayed }',
      ]);

      const texts = description.fields;
      expect(name).toContain('NewPet.name: string');
      expect(name).toContain(texts.name);
      expect(sent).toContain('NewPet.categoryId: bigint');
      expect(sent).toContain(texts.categoryId);
      expect(status).toContain(texts.status);
      expect(id).toContain('Pet.id: bigint');
      expect(id).toContain(texts.id);
      expect(received).toContain('Pet.status: "available" | "pending" | "sold" | (string & {})');
      expect(received).toContain(texts.status);
      expect(categoryId).toContain(texts.categoryId);
      expect(list).toContain('Iterate over it');
      expect(replayed).toContain('False if this call created the pet');
    });

    it('shows how a call can fail, or when it will be removed', async () => {
      const called = Object.values<Operation>(operations).filter(
        ({ operationId }) => operationId in samples.calls,
      );
      const methods = called.map(({ operationId }) => `${operationId}(`);

      const hovers = await server.hoversOver(join(project, 'calls.mts'), methods);

      for (const [index, { deprecation }] of called.entries()) {
        expect(hovers[index]).toMatch(/@throws.*PetStoreError.*unexpected_response.*@throws.*TypeError/s);
        if (deprecation) expect(hovers[index]).toContain(`removed on ${longDate(deprecation.sunset)}.`);
      }
      expect(hovers.length).toBeGreaterThan(0);
    });
  });

  it('calls the API', async () => {
    const env = { BASE_URL: baseUrl, API_KEY: apiKey };
    const { stdout, stderr } = await run(process.execPath, ['pets.mts'], { cwd: project, env });

    expect(stdout).toMatch(/^\d+ Bella 9223372036854775807\n\d+ /);
    expect(stderr).toBe('');
  });

  describe('the example of a sync', () => {
    /** Runs it with keys of its own. */
    async function sync(prefix: string, edit: (program: string) => string, key = apiKey) {
      const program = readFileSync(join(project, 'sync.mts'), 'utf8');
      const file = `sync-${prefix}.mts`;
      const quick = program.replace('setTimeout(200)', 'setTimeout(1)').replace('sync-$', `${prefix}-$`);
      writeFileSync(join(project, file), edit(quick));
      const { stdout } = await run(process.execPath, [file], {
        cwd: project,
        env: { BASE_URL: baseUrl, API_KEY: key },
      });
      return stdout;
    }

    describe('of which the API rejects a record', () => {
      const runs: string[] = [];
      beforeAll(async () => {
        const prefix = randomUUID();
        const edit = (program: string) =>
          program.replace('length: 2000', 'length: 20').replace(/name: `.+?`/, "name: id === 1 ? '' : 'Pet'");
        runs.push(await sync(prefix, edit), await sync(prefix, edit));
      });

      it('goes on after it', () => {
        expect(runs[0]).toBe('{ created: 19, existed: 0, either: 0, rejected: 1 }\n');
      });

      it('creates each other pet once, however often it runs', () => {
        expect(runs[1]).toBe('{ created: 0, existed: 19, either: 0, rejected: 1 }\n');
      });
    });

    it('stops at a failure that each create would have', async () => {
      const failed = sync(randomUUID(), (program) => program, 'unknown');

      const stdout = '{ created: 0, existed: 0, either: 0, rejected: 0 }\n';
      const stderr = expect.stringContaining('unauthorized');
      await expect(failed).rejects.toMatchObject({ code: 1, stdout, stderr });
    });

    // Windows has no signals.
    it.skipIf(process.platform === 'win32')(
      'lets the creates under way end when it is interrupted',
      async () => {
        const prefix = randomUUID();
        const interrupt = "if (id === 20) process.kill(process.pid, 'SIGINT');";

        const stopped = await sync(prefix, (program) =>
          program.replace('    try {', `${interrupt}    try {`),
        );

        const [, created = ''] =
          /^\{ created: (\d+), existed: 0, either: 0, rejected: 0 \}\n$/.exec(stopped) ?? [];
        expect(Number(created)).toBeLessThan(100);
        const same = await sync(prefix, (program) => program.replace('length: 2000', `length: ${created}`));
        expect(same).toBe(`{ created: 0, existed: ${created}, either: 0, rejected: 0 }\n`);
      },
    );
  });

  it('has the section about itself as its readme', () => {
    const readme = readFileSync(join(installed, 'README.md'), 'utf8');

    expect(readme).toMatch(/^# Pet Store client for TypeScript\n/);
    expect(readme).toContain(`\nnpm install ./${tarball}\n`);
    expect(readme).not.toContain('Python');
  });

  it.each(['README.md', 'CHANGELOG.md'])('has what its %s links to', (file) => {
    expect(missingLinksOf(join(installed, file))).toEqual([]);
  });

  it('has what it exports and imports, and no service code', () => {
    const {
      dependencies = {},
      exports,
      main,
      types,
    } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
    const code = ['index.cjs', 'index.d.cts'];
    const texts = code.map((file) => readFileSync(join(installed, file), 'utf8'));
    const imported = texts.flatMap(
      (text) => text.match(/(?<=\b(?:from|import|require)\b[ (]*["'])[^"']+/g) ?? [],
    );
    const named = JSON.stringify([exports, main, types]).match(/(?<="\.\/)[^"]+(?=")/g) ?? [];

    const files = [
      'CHANGELOG.md',
      'LICENSE',
      'LICENSE-valibot.md',
      'README.md',
      'index.cjs',
      'index.d.cts',
      'package.json',
    ];
    expect(readdirSync(installed)).toStrictEqual(files);
    expect(files).toEqual(expect.arrayContaining(named));
    expect(imported.filter((name) => !(name in dependencies) && !isBuiltin(name))).toEqual([]);
    // A person reads them.
    expect(texts[1]).not.toMatch(/valibot|\bv\.|Infer|@internal|constructor\(\{/);
  });

  it('has a version of its own, before the release, with the commit', () => {
    const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));

    expect(manifest.version).toMatch(/^\d+\.\d+\.\d+-dev\.(g[0-9a-f]{12}|gunknown)(\.dirty)?$/);
    expect(packageVersion('2.0.0', true)).toBe('2.0.0');
  });

  it('adds at most 8 kB to a compressed bundle', async () => {
    const options = { bundle: true, minify: true, format: 'esm', write: false } as const;
    const { outputFiles } = await build({ ...options, entryPoints: [join(installed, 'index.cjs')] });

    expect(gzipSync(outputFiles[0]?.contents ?? '').length).toBeLessThan(8000);
  });
});
