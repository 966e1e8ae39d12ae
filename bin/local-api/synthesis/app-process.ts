import { flushCompileCache, registerHooks } from 'node:module';
import { unsettledAwait } from '../lambda/exit-codes.ts';
import type { AppDone, AppRun } from './app-protocol.ts';
import { reportFailure } from './report-failure.ts';

// The main module of a process that runs each version of a CDK app, and keeps what they import, such as the CDK. Its
// argument is the URL of the app's main module. A version ends as it would in a process of its own: when there is
// nothing left to do. The CDK writes the assembly then.

const [, , main] = process.argv;
const environment = { ...process.env };
const directory = process.cwd();
let code = '';
let runs = 0;
let isLoaded = false;
let isEnding = false;

process.setSourceMapsEnabled(true);
registerHooks({
  load: (url, context, nextLoad) =>
    url === `${main}?${runs}`
      ? { format: 'module', source: code, shortCircuit: true }
      : nextLoad(url, context),
});

process.on('message', (run: AppRun) => {
  // From now on, only what the app does keeps the process running.
  process.channel?.unref();
  process.env = { ...environment, ...run.variables };
  process.chdir(directory);
  ({ code } = run);
  runs += 1;
  isLoaded = false;
  isEnding = false;
  import(`${main}?${runs}`).then(() => {
    isLoaded = true;
  }, reportFailure);
});

process.on('beforeExit', () => {
  if (!isLoaded) process.exit(unsettledAwait);
  if (process.exitCode) process.exit();
  // First, the CDK's own listener follows, and may start something.
  if (isEnding) finish();
  else setImmediate(() => undefined);
  isEnding = !isEnding;
});

function finish(): void {
  // The process will be killed.
  if (runs === 1) flushCompileCache();
  process.channel?.ref();
  process.send?.({ memory: process.memoryUsage.rss() } satisfies AppDone);
}
