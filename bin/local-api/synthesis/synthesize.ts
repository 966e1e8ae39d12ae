import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync, mkdtempDisposableSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import * as v from 'valibot';
import { endWithThisProcess } from '../lambda/end-with-this-process.ts';
import { unsettledAwait } from '../lambda/exit-codes.ts';
import { withoutForeignFrames } from '../own-frames.ts';
import { type Bundles, type LiveProject, SourceError } from '../project.ts';

const CdkJson = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ app: v.pipe(v.string(), v.startsWith('node ')) }),
);

/** Loaded before the CDK app. */
const preload = ['--import', new URL('report-failure.ts', import.meta.url).href];

/** The variables that the CDK reads: where to write the assembly, and the context, as JSON. */
export type AppVariables = Readonly<Record<'CDK_OUTDIR' | 'CDK_CONTEXT_JSON', string>>;

/** How the app has ended, with what it printed; the exit code is null if it was killed. */
export interface AppEnd {
  readonly exitCode: number | null;
  readonly printed: string;
}

/** Runs the app until it ends, or kills it when the signal is aborted. */
export type RunApp = (variables: AppVariables, signal: AbortSignal) => Promise<AppEnd>;

export interface SynthesisOptions {
  readonly stage: string;
  readonly bundles?: Bundles | undefined;
  /** Where to write the assembly. It may have an earlier one, with its assets in use. */
  readonly directory: string;
  /** Ends the app. */
  readonly signal?: AbortSignal | undefined;
  /** How long the app may take. */
  readonly timeoutMs?: number;
  /** By default in a process of its own, as `cdk synth` does. */
  readonly run?: RunApp;
}

/**
 * Writes the assembly of a stage, as `cdk synth` does.
 *
 * @throws {SourceError} with the error of the CDK app
 */
export async function synthesize(
  project: Pick<LiveProject, 'root' | 'contextOf'>,
  options: SynthesisOptions,
): Promise<void> {
  const { stage, bundles = new Map(), directory, signal, timeoutMs = 60_000 } = options;
  const { run = runOnce(project.root) } = options;
  // New each time: after an aborted synthesis, the CDK would take incomplete assets for complete ones.
  using output = mkdtempDisposableSync(join(directory, 'synthesis-'));
  const variables = {
    CDK_OUTDIR: output.path,
    CDK_CONTEXT_JSON: JSON.stringify(project.contextOf(stage, bundles)),
  };
  const limit = AbortSignal.timeout(timeoutMs);
  const { exitCode, printed } = await run(variables, signal ? AbortSignal.any([signal, limit]) : limit);
  signal?.throwIfAborted();
  if (exitCode !== 0)
    throw new SourceError(failureOf(exitCode, withoutForeignFrames(printed, project.root).trim(), timeoutMs));
  if (!existsSync(join(output.path, 'manifest.json'))) {
    throw new SourceError('The CDK app ended before it wrote the stack.');
  }
  for (const name of globSync(['*.json', 'asset.*'], { cwd: output.path })) {
    const path = join(directory, name);
    // An asset is named by its content.
    if (name.endsWith('.json') || !existsSync(path)) renameSync(join(output.path, name), path);
  }
}

/** Runs the app that `cdk.json` names. */
function runOnce(root: string): RunApp {
  return async (variables, signal) => {
    // Read each time, because the file may have changed.
    const { app } = v.parse(CdkJson, readFileSync(join(root, 'cdk.json'), 'utf8'));
    const child = spawn(process.execPath, [...preload, ...app.split(' ').slice(1)], {
      cwd: root,
      stdio: ['ignore', 'ignore', 'pipe'],
      // Ctrl-C is only for this process, which ends the app.
      detached: process.platform !== 'win32',
      env: { ...process.env, ...variables },
    });
    endWithThisProcess(child);
    signal.addEventListener('abort', () => child.kill('SIGKILL'));
    const [printed, [exitCode]] = await Promise.all([text(child.stderr), once(child, 'close')]);
    return { exitCode, printed };
  };
}

function failureOf(exitCode: number | null, printed: string, timeoutMs: number): string {
  if (exitCode === null) {
    return `The CDK app was ended after ${timeoutMs / 1000} s: it may be in an endless loop.`;
  }
  // Node's own text has a false place.
  if (exitCode === unsettledAwait) return 'The CDK app awaits a promise that nothing can settle any more.';
  return printed || `The CDK app ended with exit code ${exitCode}.`;
}
