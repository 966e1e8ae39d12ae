import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { readDeployment } from '../../infra/local/template/deployment.ts';
import { synthesize } from '../../infra/local/template/synthesize.ts';
import { nowhere } from '../support/functions/stub-dynamodb.ts';

/** How many bytes of JavaScript each function may have: all of them are loaded at start. */
const budgets: Readonly<Record<string, number>> = {
  ListPets: 25_500,
  CreatePet: 29_000,
  GetPet: 23_700,
  Authorizer: 16_500,
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
    const { sources } = JSON.parse(readFileSync(`${index}.map`, 'utf8'));

    expect(sources).not.toContain('shared/contract/operations.ts');
  });

  it('keeps within its budget', () => {
    const { size } = statSync(index);
    const budget = budgets[id] ?? 0;

    expect(size, `${id} has ${size} bytes, of a budget of ${budget}`).toBeLessThanOrEqual(budget);
  });

  it('imports no built-in module, for that would load all of what it exports', () => {
    const imports = readFileSync(index, 'utf8').match(/\bfrom ?"[^"]*"/g);

    expect(imports).toBeNull();
  });

  it('names the source in a stack trace, and reads its map no sooner', () => {
    const { isMapReadAtStart, isMapRead, trace } = fail(index, environment);

    expect(isMapReadAtStart).toBe(false);
    expect(isMapRead).toBe(true);
    expect(trace).toMatch(/^ {4}at \S+ \((functions|shared)\/[a-z/-]+\.ts:\d+:\d+\)$/m);
  });

  it('still has a stack trace where its map is damaged', () => {
    const { trace } = fail(index, environment, '{');

    expect(trace).toMatch(/^TypeError: .*\n(.*\n)* {4}at .*index\.mjs:\d+:\d+/);
  });
});

/**
 * Starts a function without a DynamoDB and with a source map, in a process of its own, and invokes it with what is no
 * event.
 */
function fail(
  index: string,
  environment: Readonly<Record<string, string>>,
  map = readFileSync(`${index}.map`, 'utf8'),
) {
  const script = `
    const fs = process.getBuiltinModule('fs');
    const { readFileSync } = fs;
    let isMapRead = false;
    fs.readFileSync = (file, ...rest) => {
      if (!String(file).endsWith('.map')) return readFileSync(file, ...rest);
      isMapRead = true;
      return process.env.MAP;
    };
    let logged;
    console.error = ({ error }) => (logged = error);
    const { handler } = await import('${pathToFileURL(index)}');
    const isMapReadAtStart = isMapRead;
    const { stack: trace } = await handler(undefined, { getRemainingTimeInMillis: () => 5000 })
      .then(() => logged, (error) => error);
    console.log(JSON.stringify({ isMapReadAtStart, isMapRead, trace }));
  `;
  const output = execFileSync(process.execPath, ['--input-type=module', '--eval', script], {
    env: {
      ...environment,
      MAP: map,
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: 'test',
      AWS_SECRET_ACCESS_KEY: 'test',
      AWS_ENDPOINT_URL: nowhere,
    },
    encoding: 'utf8',
  });
  return JSON.parse(output);
}
