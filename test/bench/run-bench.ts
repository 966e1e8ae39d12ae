import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const bench = fileURLToPath(new URL('./bench.ts', import.meta.url));

/** Runs `npm run bench --` with some arguments and --json, as long as a test runs, and gives what it prints. */
export async function runBench(args: readonly string[], signal: AbortSignal): Promise<unknown> {
  const { stdout } = await promisify(execFile)(process.execPath, [bench, ...args, '--json'], { signal });
  return JSON.parse(stdout);
}
