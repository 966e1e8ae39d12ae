import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import * as v from 'valibot';
import { printable } from '../../../shared/text/printable.ts';
import { projectRoot } from '../../project-root.ts';
import { withoutForeignFrames } from '../own-frames.ts';
import { SourceError } from './source-error.ts';

/** Loaded before the CDK app. */
const preloads = ['./report-failure.ts', './start-watcher.ts'].flatMap((file) => [
  '--import',
  new URL(file, import.meta.url).href,
]);

/** An app that takes longer is reported. */
const slowMs = 30_000;

/** https://nodejs.org/api/process.html#exit-codes */
const unsettledAwait = 13;

/** The stack of the app, as its watcher tells it. */
const Frames = v.pipe(v.string(), v.parseJson(), v.array(v.string()));

interface AppOptions {
  readonly environment: Readonly<Record<string, string>>;
  /** Ends the app. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Runs the CDK app in a child process, as `cdk` does. The app ends with this process, however that ends.
 *
 * @param args the arguments of `node`
 * @throws {SourceError} with the error of the app
 */
export async function runApp(args: readonly string[], options: AppOptions): Promise<void> {
  const { environment, signal } = options;
  const child = spawn(process.execPath, [...preloads, ...args], {
    cwd: projectRoot,
    // The last one is for the watcher of the app.
    stdio: ['ignore', 'ignore', 'pipe', 'ipc', 'pipe'],
    // Ctrl-C is only for this process, which ends the app.
    detached: process.platform !== 'win32',
    signal,
    killSignal: 'SIGKILL',
    env: { ...process.env, ...environment },
  });
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  const [, , stderr, , watcher] = child.stdio;
  const slow = setTimeout(() => watcher instanceof Socket && reportSlow(watcher), slowMs);
  child.once('close', () => {
    process.off('exit', kill);
    clearTimeout(slow);
  });
  let failure: string | undefined;
  child.on('message', (message) => {
    failure = String(message);
  });

  const [printed, [exitCode]] = await Promise.all([stderr && text(stderr), once(child, 'close')]);
  // The app may have printed what the failure means. Node's own text on an await that never ends has a false place.
  const texts = [exitCode === unsettledAwait ? '' : printed, failure].map((each) =>
    withoutForeignFrames(each ?? '').trim(),
  );
  const message = texts.filter((each) => each !== '').join('\n');
  if (exitCode !== 0) throw new SourceError(message || `The CDK app ended with exit code ${exitCode}.`);
}

/** Prints that the app has not ended, and where it is. */
function reportSlow(watcher: Socket): void {
  // The app may end meanwhile.
  watcher.on('error', () => undefined).write('Where is the app?');
  createInterface(watcher).once('line', (line) => {
    const place = withoutForeignFrames(v.parse(Frames, line).join('\n'));
    const what = place === '' ? 'It runs no code of the project.' : `It is running:\n${place}`;
    console.error(printable(`The CDK app has not ended after ${slowMs / 1000} s. ${what}`));
  });
}
