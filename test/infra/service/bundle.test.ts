import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { describe, expect, it, onTestFinished } from 'vitest';
import { project } from '../../../bin/local/this-project.ts';
import { readDeployment } from '../../../bin/local-api/template/deployment.ts';
import { bundle } from '../../../infra/service/bundle.ts';
import { bundleOptions } from '../../../infra/service/bundle-options.ts';
import { capitalize } from '../../../infra/stack-names.ts';
import { list } from '../../support/contract/own-operations.ts';
import { temporaryDirectory } from '../../support/e2e/temporary-file.ts';
import { respondJson, startStubDynamodb } from '../../support/functions/stub-dynamodb.ts';
import { growthOf } from '../../support/infra/bundle-growth.ts';
import { synthesize } from '../../support/infra/synthesize.ts';

/** The most bytes of JavaScript that a function may load at start: none had over 216,000 in November 2026. */
const budget = 250_000;

const stack = synthesize('staging');
const functions = readDeployment(stack, project).functions.map((spec) => ({
  ...spec,
  id: /([A-Za-z]+)Function/.exec(spec.name)?.[1] ?? '',
}));

it.each(functions)(
  'the $id bundle is one minified module within budget, with a source map',
  async ({ codeDirectory }) => {
    const index = join(codeDirectory, 'index.mjs');
    const { size } = statSync(index);
    const { sources }: { sources: string[] } = JSON.parse(readFileSync(`${index}.map`, 'utf8'));

    expect(readdirSync(codeDirectory)).toEqual(['index.mjs', 'index.mjs.map']);
    const entryPoints = sources.filter((source) => source.startsWith('functions/'));
    const grown = size > budget && (await growthOf({ entryPoints }));
    expect(size, `A function loads its whole bundle at start. What grew: ${grown}.`).toBeLessThanOrEqual(
      budget,
    );
    // The map does not contain the path of this directory.
    expect(sources).toEqual(
      sources.map(() => expect.stringMatching(/^(functions|infra|shared|node_modules|dataurl:)/)),
    );
    // Importing a built-in module would load everything it exports.
    expect(readFileSync(index, 'utf8').match(/\b(from ?|import\()"[^"]*"/g)).toBeNull();
  },
);

it('a bundle that is built already is not built again', () => {
  const given = { 'functions/authorizer.ts': temporaryDirectory(onTestFinished) };
  writeFileSync(join(given['functions/authorizer.ts'], 'index.mjs'), '// Built');
  const context = { 'pet-store:bundles': given };

  const other = synthesize('staging', { context });

  const codes = readDeployment(other, project).functions.map(({ codeDirectory }) =>
    readFileSync(join(codeDirectory, 'index.mjs'), 'utf8'),
  );
  expect(codes.filter((code) => code === '// Built')).toHaveLength(1);
});

it('names the file in which a handler is missing', () => {
  expect(() => bundle('functions/nothing.ts', stack.directory)).toThrow('There is no functions/nothing.ts');
});

it('fails for what a package does not export, with its place', async () => {
  const contents = "import * as v from 'valibot';\nexport const handler = () =>\n  v.objekt();";
  const stdin = { contents, sourcefile: 'functions/misspelled.ts', resolveDir: '.' };

  const built = build({ ...bundleOptions, stdin, logLevel: 'silent' });

  await expect(built).rejects.toThrow(
    'functions/misspelled.ts:3:4: ERROR: Import "objekt" will always be undefined',
  );
});

it('what a bundle grew by has a name', async () => {
  const contents = "export { SNSClient } from '@aws-sdk/client-sns';";

  const growth = await growthOf({ stdin: { contents, sourcefile: 'functions/notify.ts', resolveDir: '.' } });

  expect(growth).toMatch(/^@aws-sdk\/client-sns \d+ KB instead of 0/);
});

it('a CommonJS package may require built-in modules', async () => {
  const file = join(temporaryDirectory(onTestFinished), 'package.cjs');
  writeFileSync(file, "exports.text = require('util').format('%s %s', 1, require('node:path').posix.sep);");

  const { stdout } = await runBundled(`import { text } from ${JSON.stringify(file)}; console.log(text);`);

  expect(stdout).toBe('1 /\n');
});

describe('another client of the SDK', () => {
  it.each(['client-sns SNSClient', 'client-cloudwatch-logs CloudWatchLogsClient'])(
    'takes its credentials from the environment: @aws-sdk/%s',
    async (name) => {
      const [module, Client] = name.split(' ');

      const { stdout } = await runBundled(`import { ${Client} } from '@aws-sdk/${module}';
        const { accessKeyId } = await new ${Client}().config.credentials();
        console.log(accessKeyId);`);

      expect(stdout).toBe('test\n');
    },
  );

  it('says where event streams are left out', async () => {
    await using server = await startStubDynamodb((_call, response) => {
      response.setHeader('content-type', 'application/vnd.amazon.eventstream');
      response.end();
    });
    const { stdout } = await runBundled(`
      import { CloudWatchLogsClient, StartLiveTailCommand } from '@aws-sdk/client-cloudwatch-logs';
      const client = new CloudWatchLogsClient({ endpoint: '${server.endpoint}', disableHostPrefix: true });
      const tail = new StartLiveTailCommand({ logGroupIdentifiers: ['x'] });
      await client.send(tail).catch(({ message }) => console.log(message));`);

    expect(stdout).toContain('bundle-options.ts leaves out event streams.');
  });
});

const listing = functions.find(({ id }) => id === capitalize(list.operationId));
const index = pathToFileURL(join(listing?.codeDirectory ?? '', 'index.mjs'));

it.each([
  ['names files and lines of its source', {}, /\n {4}at shared\/http\/[\w-]+\.ts:\d+:\d+\n/],
  ['exists even if the map is damaged', { MAP: '{' }, /^TypeError: .*\n(.*\n)* {4}at .*index\.mjs:\d+:\d+/],
])('a stack trace %s; only traces read the map', async (_title, variables, expected) => {
  let calls = 0;
  await using dynamodb = await startStubDynamodb((_call, response) => {
    calls += 1;
    respondJson(response, calls === 1 ? 200 : 400, {});
  });
  // The function fails, because this is not an event.
  const script = `
    const fs = process.getBuiltinModule('fs');
    const { readFileSync } = fs;
    let isMapRead = false;
    fs.readFileSync = (file, ...rest) => {
      if (!String(file).endsWith('.map')) return readFileSync(file, ...rest);
      isMapRead = true;
      return process.env.MAP ?? readFileSync(file, ...rest);
    };
    let logged;
    console.error = ({ error }) => (logged = error);
    const { handler } = await import('${index}');
    const isMapReadAtStart = isMapRead;
    const { stack: trace } = await handler(undefined, { getRemainingTimeInMillis: () => 5000 })
      .then(() => logged, (error) => error);
    console.log(JSON.stringify({ isMapReadAtStart, isMapRead, trace }));
    process.exit();
  `;

  const { stdout } = await run(script, { AWS_ENDPOINT_URL: dynamodb.endpoint, ...variables });

  expect(JSON.parse(stdout)).toEqual({
    isMapReadAtStart: false,
    isMapRead: true,
    trace: expect.stringMatching(expected),
  });
});

it('a bundle calls DynamoDB in its region', async () => {
  const printHost = '({ host }) => { console.log(host); process.exit(); }';
  const { stdout } = await run(
    `process.getBuiltinModule('https').request = ${printHost}; await import('${index}');`,
  );

  expect(stdout).toBe('dynamodb.eu-west-1.amazonaws.com\n');
});

/** Runs a program that is bundled like a function. */
async function runBundled(program: string) {
  const stdin = { contents: program, sourcefile: 'functions/another.ts', resolveDir: '.' };
  const { outputFiles } = await build({ ...bundleOptions, stdin });
  const file = join(temporaryDirectory(onTestFinished), 'index.mjs');
  writeFileSync(file, outputFiles.find(({ path }) => path.endsWith('.mjs'))?.text ?? '');
  return await run(`await import('${pathToFileURL(file)}');`);
}

/** Runs a script with only the environment that Lambda and the stack set, and some variables. */
const run = (script: string, variables: Readonly<Record<string, string>> = {}) =>
  promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], {
    env: {
      AWS_REGION: 'eu-west-1',
      AWS_ACCESS_KEY_ID: 'test',
      AWS_SECRET_ACCESS_KEY: 'test',
      AWS_SESSION_TOKEN: 'test',
      ...listing?.environment,
      ...variables,
    },
  });
