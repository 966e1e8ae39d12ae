import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { openApiDocument } from '../../../infra/reference/document.ts';
import { errorTable } from '../../../shared/contract/errors/error-table.ts';
import { stringifyJson } from '../../../shared/contract/json.ts';
import type { Operation } from '../../../shared/contract/operation.ts';
import { commonErrors, operations } from '../../../shared/contract/operations.ts';

interface Response {
  readonly content: {
    readonly 'application/json': {
      readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
    };
  };
}

interface DescribedOperation {
  readonly operationId: string;
  readonly description: string;
  readonly deprecated?: boolean;
  readonly requestBody?: object;
  readonly responses: Readonly<Record<string, Response>>;
}

interface Document {
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
}

const text = readFileSync('openapi.json', 'utf8');
const document: Document = JSON.parse(text);
const operationList: readonly Operation[] = Object.values(operations);

/** Runs a tool of `node_modules/.bin`, and fails where it does. */
async function run(directory: string, [tool, ...args]: readonly string[], env = {}): Promise<string> {
  const script = `node_modules/.bin/${tool}`;
  const { stdout } = await promisify(execFile)(process.execPath, [script, ...args], { cwd: directory, env });
  return stdout;
}

describe('openapi.json', () => {
  it('is what npm run openapi writes', () => {
    expect(text).toBe(`${stringifyJson(openApiDocument(), 2)}\n`);
  });

  it('has the bounds of an int64 digit for digit', () => {
    expect(text).toContain('"minimum": -9223372036854775808,');
    expect(text).toContain('"maximum": 9223372036854775807\n');
  });

  it('is without an error or a warning of redocly lint', async () => {
    const offline = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
    const report = await run('.', ['redocly', 'lint', 'openapi.json', '--format', 'json'], offline);

    expect(JSON.parse(report)).toMatchObject({
      totals: { errors: 0, warnings: 0, ignored: 0 },
      problems: [],
    });
  });

  it('says that the orders of the store are not specified', () => {
    const store = document.tags.find(({ name }) => name === 'store');

    expect(store?.description).toMatch(/`GET \/store\/orders` .* not specified .* 404/);
  });

  it.each(operationList)(
    'describes every response of $operationId, each error by an example',
    (operation) => {
      const { path, method, success, errors } = operation;
      const codes = [...errors, ...commonErrors];

      const responses = document.paths[path]?.[method.toLowerCase()]?.responses ?? {};

      const { [success]: _success, ...refusals } = responses;
      const examples = Object.entries(refusals).flatMap(([status, { content }]) =>
        Object.entries(content['application/json'].examples ?? {}).map(([code, { value }]) => ({
          [`${status} ${code}`]: value,
        })),
      );
      const expected = codes.map((code) => {
        const { status, message } = errorTable[code];
        return { [`${status} ${code}`]: { code, message, status } };
      });
      expect(Object.keys(responses)).toContain(`${success}`);
      expect(Object.assign({}, ...examples)).toStrictEqual(Object.assign({}, ...expected));
    },
  );

  it.each(operationList)('describes $operationId, and when it is removed, if it is', (operation) => {
    const { path, method, operationId, body, deprecation } = operation;

    const described = document.paths[path]?.[method.toLowerCase()];

    expect(described?.operationId).toBe(operationId);
    expect(described?.requestBody !== undefined).toBe(body !== undefined);
    expect(described?.deprecated ?? false).toBe(deprecation !== undefined);
    expect(/ it is removed on \d+ \w+ 20\d\d/.test(described?.description ?? '')).toBe(
      deprecation !== undefined,
    );
  });
});
