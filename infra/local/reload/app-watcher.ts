import { Session } from 'node:inspector';
import { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

// A thread of the CDK app's process, which goes on in an endless loop of the app. It ends the app with the local
// API, and tells what the app is running when the local API asks.

/** What the local API opens for this thread: see `run-app.ts`. */
const fileDescriptor = 4;

/** An app that takes longer to respond runs no JavaScript. */
const timeoutMs = 2000;

const localApi = new Socket({ fd: fileDescriptor, readable: true, writable: true });
localApi
  .on('data', async () => {
    localApi.write(`${JSON.stringify(await runningFrames())}\n`);
  })
  .on('error', () => undefined)
  // However the local API ends, even if it is killed.
  .on('close', () => process.kill(process.pid, 'SIGKILL'));

/** Returns the stack of the code that the app is running, or none if it runs no JavaScript. */
async function runningFrames(): Promise<readonly string[]> {
  const { promise, resolve } = Promise.withResolvers<readonly string[]>();
  const session = new Session();
  session.connectToMainThread();
  const urls = new Map<string, string>();
  session.on('Debugger.scriptParsed', ({ params: { scriptId, url } }) => void urls.set(scriptId, url));
  session.on('Debugger.paused', ({ params }) => {
    const frames = params.callFrames.map(({ functionName, location }) => {
      const { scriptId, lineNumber, columnNumber = 0 } = location;
      const place = `${urls.get(scriptId)}:${lineNumber + 1}:${columnNumber + 1}`;
      return functionName === '' ? `    at ${place}` : `    at ${functionName} (${place})`;
    });
    resolve(frames);
    session.post('Debugger.resume');
  });
  session.post('Debugger.enable');
  session.post('Debugger.pause');

  const frames = await Promise.race([promise, pause(timeoutMs, [])]);
  session.disconnect();
  return frames;
}
