import { createServer } from 'node:http';
import { posix } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { listen } from '../../http/listen.ts';
import type { StartFailure } from '../../lambda/lambda-function.ts';
import type { AppEnd, RunApp } from '../../synthesis/synthesize.ts';
import type { Deployment, FunctionSpec } from '../../template/deployment.ts';

/** A function that is loaded, and answers with a text. */
interface Loaded {
  readonly spec: FunctionSpec;
  readonly handler: () => Promise<{ readonly body: string }>;
}

let loads = 0;

async function load(spec: FunctionSpec): Promise<Loaded> {
  loads += 1;
  const file = pathToFileURL(`${spec.codeDirectory}/index.mjs`);
  const { handler } = await import(`${file}?${loads}`);
  return { spec, handler };
}

/** Serves functions in this process, so that none has to start: those that a deployment does not change are kept. */
export async function serveInThisProcess(first: Deployment) {
  let functions: readonly Loaded[] = [];
  const deploy = async (next: Deployment): Promise<readonly StartFailure[]> => {
    const loading = next.functions.map(
      (spec) => functions.find((loaded) => isDeepStrictEqual(loaded.spec, spec)) ?? load(spec),
    );
    try {
      functions = await Promise.all(loading);
      return [];
    } catch (error) {
      const { name, message } = error instanceof Error ? error : new Error(String(error));
      const failure = { errorType: name, errorMessage: message, stackTrace: [] };
      return [{ handler: 'A function', error: failure }];
    }
  };
  await deploy(first);
  const server = createServer(async ({ url = '' }, response) => {
    const target = functions.find(({ spec }) => spec.name === `Live-${posix.basename(url)}`);
    Object.assign(process.env, target?.spec.environment);
    response.end((await target?.handler())?.body);
  });
  return { baseUrl: `http://127.0.0.1:${await listen(server)}/live`, deploy };
}

/** Runs a version of a CDK app in this process; what is ended goes on, but its output is gone. */
export const runInThisProcess =
  (code: string): RunApp =>
  async (variables, signal) => {
    const ofItsOwn = `const process = ${JSON.stringify({ env: variables })};\n${code}`;
    const { promise, resolve } = Promise.withResolvers<AppEnd>();
    const end = () => resolve({ exitCode: null, printed: '' });
    if (signal.aborted) end();
    signal.addEventListener('abort', end);
    import(`data:text/javascript;base64,${Buffer.from(ofItsOwn).toString('base64')}`).then(
      () => resolve({ exitCode: 0, printed: '' }),
      (error) => resolve({ exitCode: 1, printed: `${error}` }),
    );
    return promise;
  };
