import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync, mkdtempDisposableSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import * as v from 'valibot';
import { projectRoot } from '../../project-root.ts';
import { withoutForeignFrames } from '../own-frames.ts';
import { SourceError } from './source-error.ts';

const CdkJson = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ app: v.pipe(v.string(), v.startsWith('node ')) }),
);

/**
 * Writes the assembly of a stage to a directory, which may have an earlier one, with its assets in use.
 *
 * @throws {SourceError} with the error of the CDK app
 */
export async function synthesize(stage: string, directory: string, signal?: AbortSignal): Promise<void> {
  // New each time: after an aborted synthesis, the CDK would take incomplete assets for complete ones.
  using output = mkdtempDisposableSync(join(directory, 'synthesis-'));
  await runApp(stage, output.path, signal);

  for (const name of globSync(['*.json', 'asset.*'], { cwd: output.path })) {
    const path = join(directory, name);
    // An asset is named by its content.
    if (name.endsWith('.json') || !existsSync(path)) renameSync(join(output.path, name), path);
  }
}

/** Runs the CDK app in a child process, as `cdk` does. */
async function runApp(stage: string, directory: string, signal?: AbortSignal): Promise<void> {
  // Read each time, because the file may have changed.
  const { app } = v.parse(CdkJson, readFileSync(join(projectRoot, 'cdk.json'), 'utf8'));
  const reporter = new URL('./report-failure.ts', import.meta.url).href;
  const child = spawn(process.execPath, ['--import', reporter, ...app.split(' ').slice(1)], {
    cwd: projectRoot,
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    // Ctrl-C is only for this process, which ends the app.
    detached: process.platform !== 'win32',
    signal,
    killSignal: 'SIGKILL',
    env: {
      ...process.env,
      CDK_OUTDIR: directory,
      // For one stage, like `cdk -c pet-store:local=<stage>`.
      CDK_CONTEXT_JSON: JSON.stringify({ 'pet-store:local': stage }),
    },
  });
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  child.once('close', () => process.off('exit', kill));
  let failure: string | undefined;
  child.once('message', (message) => {
    failure = String(message);
  });

  const { stderr } = child;
  const [printed, [exitCode]] = await Promise.all([stderr && text(stderr), once(child, 'close')]);
  if (exitCode !== 0) throw new SourceError(withoutForeignFrames(failure ?? `${printed}`).trim());
}
