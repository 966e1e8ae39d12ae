import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { readDeployment } from '../../../infra/local/template/deployment.ts';
import { synthesize } from '../../../infra/local/template/synthesize.ts';
import { respondJson, startStubDynamodb } from '../../support/functions/stub-dynamodb.ts';

/**
 * How many bytes of JavaScript each function may have: all of them are loaded at start. What is left out of the SDK would
 * take thousands more.
 */
const budgets: Readonly<Record<string, number>> = {
  ListPets: 210_500,
  CreatePet: 215_000,
  GetPet: 209_000,
  Authorizer: 201_500,
};

const stack = synthesize('staging');
const functions = [...readDeployment(stack).functions.values()].map((spec) => ({
  ...spec,
  id: /([A-Za-z]+)Function/.exec(spec.name)?.[1] ?? '',
}));

afterAll(stack.dispose);

describe.each(functions)('the bundle of $id', ({ id, codeDirectory, environment }) => {
  const index = join(codeDirectory, 'index.mjs');

  it('is one minified module and its source map, which does not say where it was made', () => {
    const { sources } = JSON.parse(readFileSync(`${index}.map`, 'utf8'));

    expect(readdirSync(codeDirectory)).toEqual(['index.mjs', 'index.mjs.map']);
    expect(
      sources.filter((source: string) => !/^(functions|shared|node_modules|dataurl:)/.test(source)),
    ).toEqual([]);
  });

  it('has none of the prose of the operations table', () => {
    const maps = readdirSync(codeDirectory).filter((name) => name.endsWith('.map'));
    const sources = maps.flatMap((map) => JSON.parse(readFileSync(join(codeDirectory, map), 'utf8')).sources);

    expect(sources).not.toContain('shared/contract/operations.ts');
  });

  it('keeps within its budget', () => {
    const { size } = statSync(index);
    const budget = budgets[id] ?? 0;

    expect(size, `${id} has ${size} bytes, of a budget of ${budget}`).toBeLessThanOrEqual(budget);
  });

  it('imports no built-in module, for that would load all of what it exports', () => {
    const imports = readFileSync(index, 'utf8').match(/\b(from ?|import\()"[^"]*"/g);

    expect(imports).toBeNull();
  });

  it('names the source in a stack trace, and reads its map no sooner', async () => {
    const { isMapReadAtStart, isMapRead, trace } = await fail(index, environment);

    expect(isMapReadAtStart).toBe(false);
    expect(isMapRead).toBe(true);
    expect(trace).toMatch(/^ {4}at \S+ \((functions|shared)\/[a-z/-]+\.ts:\d+:\d+\)$/m);
  });

  it('still has a stack trace where its map is damaged', async () => {
    const { trace } = await fail(index, environment, '{');

    expect(trace).toMatch(/^TypeError: .*\n(.*\n)* {4}at .*index\.mjs:\d+:\d+/);
  });
});

describe('the endpoint of a bundle', () => {
  const { codeDirectory, environment } = functions.find(({ id }) => id === 'GetPet') ?? raise();
  /** Starts the function, which makes a call during init. */
  const start = (variables: Readonly<Record<string, string>>, before = '') =>
    run(`${before}; await import('${pathToFileURL(codeDirectory)}/index.mjs');`, {
      ...environment,
      ...variables,
    });

  it.each(['AWS_ENDPOINT_URL', 'AWS_ENDPOINT_URL_DYNAMODB'])('is that of %s', async (variable) => {
    const calls: unknown[] = [];
    await using dynamodb = await startStubDynamodb(({ action, headers }, response) => {
      calls.push([action, headers['x-amz-security-token']]);
      respondJson(response, 200, {});
    });

    const { stderr } = await start({ [variable]: dynamodb.endpoint });

    expect(calls).toEqual([['GetItem', 'test']]);
    expect(stderr).toBe('');
  });

  it.each([
    ['DynamoDB', {}, 'dynamodb.eu-west-1.amazonaws.com'],
    ['FIPS', { AWS_USE_FIPS_ENDPOINT: 'true' }, 'dynamodb-fips.eu-west-1.amazonaws.com'],
    ['both protocols', { AWS_USE_DUALSTACK_ENDPOINT: 'true' }, 'dynamodb.eu-west-1.api.aws'],
    ['another region', { AWS_REGION: 'cn-north-1' }, 'dynamodb.cn-north-1.amazonaws.com.cn'],
  ])('is that of %s otherwise', async (_title, variables, host) => {
    const { stdout } = await start(variables, tellHost);

    expect(stdout).toBe(`${host}\n`);
  });
});

/** Tells where a function sends its first call, in place of sending it. */
const tellHost = `
  process.getBuiltinModule('https').request = ({ host }) => {
    console.log(host);
    process.exit();
  };
`;

function raise(): never {
  throw new Error('The stack has no function GetPet.');
}

/**
 * Starts a function with a source map, its own or another, in a process of its own, and invokes it with what is no event,
 * and with a DynamoDB that refuses all but the call during init.
 */
async function fail(index: string, variables: Readonly<Record<string, string>>, map?: string) {
  let calls = 0;
  await using dynamodb = await startStubDynamodb((_call, response) => {
    calls += 1;
    respondJson(response, calls === 1 ? 200 : 400, {});
  });
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
    const { handler } = await import('${pathToFileURL(index)}');
    const isMapReadAtStart = isMapRead;
    const { stack: trace } = await handler(undefined, { getRemainingTimeInMillis: () => 5000 })
      .then(() => logged, (error) => error);
    console.log(JSON.stringify({ isMapReadAtStart, isMapRead, trace }));
    process.exit();
  `;
  const { stdout } = await run(script, {
    ...variables,
    AWS_ENDPOINT_URL: dynamodb.endpoint,
    ...(map !== undefined && { MAP: map }),
  });
  return JSON.parse(stdout);
}

/** Runs a script with nothing in its environment but what Lambda sets, and some variables. */
const run = (script: string, variables: Readonly<Record<string, string>>) =>
  promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], {
    env: {
      AWS_REGION: 'eu-west-1',
      AWS_ACCESS_KEY_ID: 'test',
      AWS_SECRET_ACCESS_KEY: 'test',
      AWS_SESSION_TOKEN: 'test',
      ...variables,
    },
  });
