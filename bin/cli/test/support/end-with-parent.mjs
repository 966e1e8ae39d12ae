// Usage: node end-with-parent.mjs <script> [arguments], with an IPC channel
//
// Runs a script, and ends it when its parent has ended, killed or not: the channel closes then. Node's option
// --import would do the same in the processes that the script starts, whose channels are others.
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
process.channel?.unref();
process.argv.splice(1, 1);
await import(pathToFileURL(resolve(process.argv[1])).href);
