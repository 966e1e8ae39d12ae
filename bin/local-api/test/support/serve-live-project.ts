import { globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startLocalApi } from '../../local-api.ts';
import type { LiveProject } from '../../project.ts';
import { serveSaves } from '../../reload/serve-saves.ts';
import { keepApp } from '../../synthesis/kept-app.ts';
import { synthesize } from '../../synthesis/synthesize.ts';
import { readAssembly } from '../../template/assembly.ts';
import { readDeployment } from '../../template/deployment.ts';
import { runInThisProcess, serveInThisProcess } from './serve-in-this-process.ts';
import { largeLimits, stubProject } from './stub-project.ts';

// Serves the current directory, which is a copy of live-project/, and prints the address of its API, and how each
// build ends. Its arguments say whether functions, the app and the compiler run in processes of their own, and for how
// long a mistake is not reported, in milliseconds.

const [, , processes, mistakeMs] = process.argv;
const isInThisProcess = processes === 'in-this-process';

const root = `${process.cwd()}/`;
const directory = mkdtempSync(join(tmpdir(), 'live-project-'));
process.once('exit', () => rmSync(directory, { recursive: true }));
process.once('SIGTERM', () => process.exit());

const project: LiveProject = {
  ...stubProject,
  root,
  runtime: 'nodejs24.x',
  folders: ['all', 'functions', 'infra', 'shared'],
  app: 'infra/app.ts',
  contextOf: () => ({}),
  bundledFiles: () => globSync('functions/*.ts', { cwd: root }),
  bundleOptions: {
    absWorkingDir: root,
    outdir: root,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    sourcemap: 'external',
    write: false,
    plugins: [
      {
        name: 'report',
        setup: ({ onEnd }) =>
          onEnd(({ errors }) => console.log(`Build: ${errors.length === 0 ? 'success' : 'failure'}`)),
      },
    ],
  },
  ofServer: /^infra\/server\//,
  readOnDemand: /\.md$/,
};

const run = isInThisProcess ? runInThisProcess : keepApp(project);
/** Only what hangs takes as long. */
const hung = 600_000;
const limits = isInThisProcess
  ? { announce: hung, functions: hung, stack: hung, retry: 50 }
  : // What never ends need not burn time.
    { announce: 100, functions: 100, stack: 100 };

await serveSaves(project, {
  directory,
  limits: { ...limits, mistake: Number(mistakeMs) },
  ...(isInThisProcess && { checkTypes: async () => undefined }),
  async synthesize(app, signal) {
    await synthesize(project, { stage: 'live', directory, signal, run: run(app) });
    return readDeployment(readAssembly(directory, 'Live'), project);
  },
  async start(first) {
    const api = isInThisProcess
      ? await serveInThisProcess(first)
      : await startLocalApi(first, {
          project,
          port: 0,
          functions: { hasReadableLog: true, limits: largeLimits },
        });
    console.log(api.baseUrl);
    return api;
  },
});
