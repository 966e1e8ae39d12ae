import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync, mkdtempDisposableSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import cdkJson from '../../../cdk.json' with { type: 'json' };
import { printable } from '../../../shared/text/printable.ts';
import { projectRoot } from '../../project-root.ts';
import { withoutForeignFrames } from '../own-frames.ts';

/** Writes the assembly of a stage to a directory, which may have an earlier one, with its assets in use. */
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
  const child = spawn(process.execPath, cdkJson.app.split(' ').slice(1), {
    cwd: projectRoot,
    stdio: ['ignore', 'ignore', 'pipe'],
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

  const [printed, [exitCode]] = await Promise.all([text(child.stderr), once(child, 'close')]);
  if (exitCode === 0) return;
  // Node prints the line of code that failed, which in a minified module is the whole module.
  const lines = printable(printed)
    .split('\n')
    .filter((line) => line.length < 1000);
  throw new Error(`The CDK app failed.\n${withoutForeignFrames(lines.join('\n'))}`);
}
