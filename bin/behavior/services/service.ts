import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { type HttpRequest, toBytes } from '../../../test/support/http/http-request.ts';
import { type RawResponse, sendBytes } from '../../../test/support/http/send-bytes.ts';
import { spawnLocalApi } from '../../local/test/support/spawn-local-api.ts';
import { openTables } from './tables.ts';

export type Service = Awaited<ReturnType<typeof startService>>;

/** How often a throttled request is sent again, in ms, and how many times. */
const pause = 100;
const maxAttempts = 100;

const noAnswer: RawResponse = { status: 0, headers: {}, body: '' };

/** Returns an environment with this home, and with nothing secret of the shell. */
export function environmentAt(home: string): NodeJS.ProcessEnv {
  // Windows starts no program without SystemRoot.
  const { PATH, SystemRoot, TMPDIR, TEMP } = process.env;
  return { PATH, SystemRoot, TMPDIR, TEMP, HOME: home, USERPROFILE: home };
}

/** Starts the service of a project with empty tables, under a name for the report. */
export async function startService(name: string, project: string) {
  const home = mkdtempSync(join(tmpdir(), 'pet-store-home-'));
  process.once('exit', () => rmSync(home, { recursive: true, force: true }));
  const local = await spawnLocalApi(['--pets', '0'], { project, environment: environmentAt(home) });
  const { baseUrl, apiKey } = local;
  const port = Number(new URL(baseUrl).port);

  /** Sends a request with a key, and returns the answer. A throttled request had no effect, and is repeated. */
  async function send(request: HttpRequest, key = apiKey): Promise<RawResponse> {
    for (let attempt = 1; ; attempt += 1) {
      const [answer = noAnswer] = await sendBytes(port, toBytes([request], key));
      if (answer.status !== 429 || attempt === maxAttempts) return answer;
      await setTimeout(pause);
    }
  }

  return {
    name,
    apiKey,
    send,
    tables: await openTables(port),
    [Symbol.asyncDispose]: local[Symbol.asyncDispose],
  };
}
