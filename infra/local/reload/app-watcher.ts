import { Socket } from 'node:net';

// A thread of the CDK app's process, which goes on in an endless loop of the app. It ends the app with the
// local API.

/** What the local API opens for this thread: see `run-app.ts`. */
const fileDescriptor = 4;

new Socket({ fd: fileDescriptor, readable: true, writable: true })
  // An end is seen only by those who read.
  .resume()
  .on('error', () => undefined)
  // However the local API ends, even if it is killed.
  .on('close', () => process.kill(process.pid, 'SIGKILL'));
