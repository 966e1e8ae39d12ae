import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants, setPriority } from 'node:os';
import { text } from 'node:stream/consumers';
import cdkJson from '../../../cdk.json' with { type: 'json' };
import { project } from '../../service/bundle-options.ts';
import { printable } from '../text/printable.ts';

/** Writes a stage's assembly to a directory, running the CDK app in a child process, as `cdk` does. */
export async function synthesize(stage: string, directory: string, signal?: AbortSignal): Promise<void> {
  const child = spawn(process.execPath, cdkJson.app.split(' ').slice(1), {
    cwd: project,
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
  // New functions get the CPU first.
  if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  child.once('close', () => process.off('exit', kill));

  const [printed, [exitCode]] = await Promise.all([text(child.stderr), once(child, 'close')]);
  if (exitCode !== 0) throw new Error(`The CDK app failed.\n${withoutForeignFrames(printable(printed))}`);
}

/** Removes stack frames outside this project, and the source lines of minified modules. */
const withoutForeignFrames = (trace: string) =>
  trace
    .split('\n')
    .filter((line) => !/^ {4}at .*(node:|node_modules)/.test(line) && line.length < 1000)
    .join('\n');
