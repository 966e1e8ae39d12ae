import { globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startLocalApi } from '../../../bin/local-api/local-api.ts';
import type { LiveProject } from '../../../bin/local-api/project.ts';
import { serveSaves } from '../../../bin/local-api/reload/serve-saves.ts';
import { keepApp } from '../../../bin/local-api/synthesis/kept-app.ts';
import { synthesize } from '../../../bin/local-api/synthesis/synthesize.ts';
import { readAssembly } from '../../../bin/local-api/template/assembly.ts';
import { readDeployment } from '../../../bin/local-api/template/deployment.ts';
import { stubProject } from './stub-project.ts';

// Serves the current directory, which is a copy of live-project/, and prints the address of its API, and how each
// build ends. Its argument is how soon mistakes are reported, in milliseconds.

const [, , mistakeMs] = process.argv;

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

const run = keepApp(project);

await serveSaves(project, {
  directory,
  mistakeMs: Number(mistakeMs),
  async synthesize(app, signal) {
    await synthesize(project, { stage: 'live', directory, signal, run: run(app) });
    return readDeployment(readAssembly(directory, 'Live'), project);
  },
  async start(first) {
    const api = await startLocalApi(first, { project, port: 0, functions: { hasReadableLog: true } });
    console.log(api.baseUrl);
    return api;
  },
});
