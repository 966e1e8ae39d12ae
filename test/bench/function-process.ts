import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { Duplex } from 'node:stream';
import { fileURLToPath } from 'node:url';
import * as v from 'valibot';

/** A build of a function, ready to be started, and an event for which it succeeds. */
export interface Build {
  readonly name: string;
  /**
   * How it was built: as deployed; with the defaults of NodejsFunction and the SDK and no call during init;
   * or, for the empty handler of the bench, like a deployed one.
   */
  readonly kind: 'deployed' | 'conventional' | 'bare';
  readonly codeDirectory: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly event: unknown;
}

/** A handler's response when it fails. */
const failure = /"statusCode":[45]|"Effect":"Deny"/;

const bootstrap = fileURLToPath(new URL('./bootstrap.cjs', import.meta.url));
const nodeModules = fileURLToPath(new URL('../../node_modules', import.meta.url));

/** Starts a function in a separate process, as Lambda does, and resolves when it is ready. */
export async function startFunction({ codeDirectory, environment, event }: Build) {
  const startedAt = performance.now();
  const child = spawn(process.execPath, [bootstrap], {
    stdio: ['ignore', 'ignore', 'inherit', 'pipe'],
    env: {
      ...environment,
      AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
      LAMBDA_TASK_ROOT: codeDirectory,
      // Lambda's runtime has the AWS SDK for functions that do not bundle it.
      NODE_PATH: nodeModules,
    },
  });
  const ended = once(child, 'exit');
  const channel = v.parse(v.instance(Duplex), child.stdio[3]);
  const lines = createInterface(channel)[Symbol.asyncIterator]();
  const nextLine = async () => {
    const { value, done } = await lines.next();
    if (done) throw new Error(`The function in ${codeDirectory} has exited.`);
    return value;
  };

  await nextLine();
  return {
    processId: v.parse(v.number(), child.pid),
    /** The time from the start of the process until it is ready for an event, in milliseconds. */
    init: performance.now() - startedAt,
    /** Invokes the function with the event of its build, and returns how long it took, in milliseconds. */
    async invoke(): Promise<number> {
      const line = `${JSON.stringify(event)}\n`;
      const invokedAt = performance.now();
      channel.write(line);
      const result = await nextLine();
      const milliseconds = performance.now() - invokedAt;
      if (failure.test(result)) throw new Error(`The function responded with ${result}.`);
      return milliseconds;
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
