import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawnLocalApi } from '../../local/test/support/spawn-local-api.ts';
import { installSandbox } from './support/installed-sandbox.ts';

// Runs the end-to-end tests against a sandbox that is packed and installed.

const directory = mkdtempSync(join(tmpdir(), 'pet-store-sandbox-'));
process.once('exit', () => rmSync(directory, { recursive: true, force: true }));

const { command } = await installSandbox(directory);
await using sandbox = await spawnLocalApi([], { command, project: directory });
const tests = spawn(
  process.execPath,
  ['node_modules/vitest/vitest.mjs', 'run', '--mode', 'e2e', '--project', 'e2e'],
  { stdio: 'inherit', env: { ...process.env, BASE_URL: sandbox.baseUrl, API_KEY: sandbox.apiKey } },
);
const [exitCode] = await once(tests, 'exit');
process.exitCode = Number(exitCode ?? 1);
