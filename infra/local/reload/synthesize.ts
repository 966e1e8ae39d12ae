import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync, mkdtempDisposableSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { endWithThisProcess } from '../lambda/end-with-this-process.ts';
import { unsettledAwait } from '../lambda/environment.ts';
import { withoutForeignFrames } from '../own-frames.ts';
import { type Bundles, type LiveProject, SourceError } from '../project.ts';

/** Loaded before the CDK app. */
const preload = ['--import', new URL('report-failure.ts', import.meta.url).href];

interface SynthesisOptions {
  readonly stage: string;
  readonly bundles?: Bundles | undefined;
  /** Where to write the assembly. It may have an earlier one, with its assets in use. */
  readonly directory: string;
  /** Ends the app. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Writes the assembly of a stage, as `cdk synth` does.
 *
 * @throws {SourceError} with the error of the CDK app
 */
export async function synthesize(
  project: Pick<LiveProject, 'root' | 'app' | 'contextOf'>,
  options: SynthesisOptions,
): Promise<void> {
  const { stage, bundles = new Map(), directory, signal } = options;
  // New each time: after an aborted synthesis, the CDK would take incomplete assets for complete ones.
  using output = mkdtempDisposableSync(join(directory, 'synthesis-'));
  const child = spawn(process.execPath, [...preload, project.app], {
    cwd: project.root,
    stdio: ['ignore', 'ignore', 'pipe'],
    // Ctrl-C is only for this process, which ends the app.
    detached: process.platform !== 'win32',
    ...(signal && { signal }),
    killSignal: 'SIGKILL',
    env: {
      ...process.env,
      CDK_OUTDIR: output.path,
      CDK_CONTEXT_JSON: JSON.stringify(project.contextOf(stage, bundles)),
    },
  });
  endWithThisProcess(child);

  const [printed, [exitCode]] = await Promise.all([text(child.stderr), once(child, 'close')]);
  if (exitCode !== 0)
    throw new SourceError(failureOf(exitCode, withoutForeignFrames(printed, project.root).trim()));
  if (!existsSync(join(output.path, 'manifest.json'))) {
    throw new SourceError('The CDK app ended before it wrote the stack.');
  }
  for (const name of globSync(['*.json', 'asset.*'], { cwd: output.path })) {
    const path = join(directory, name);
    // An asset is named by its content.
    if (name.endsWith('.json') || !existsSync(path)) renameSync(join(output.path, name), path);
  }
}

function failureOf(exitCode: number | null, printed: string): string {
  // Node's own text has a false place.
  if (exitCode === unsettledAwait) return 'The CDK app awaits a promise that nothing can settle any more.';
  return printed || `The CDK app ended with exit code ${exitCode}.`;
}
