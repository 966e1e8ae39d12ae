import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';

// Preloaded into a function's process, it tells how many bytes of JavaScript the function has loaded when asked.
const sizes = new Map();
const runtime = pathToFileURL(process.argv[1]).href;

registerHooks({
  load(url, context, nextLoad) {
    if (url.startsWith('file:') && url !== runtime) sizes.set(url, readFileSync(new URL(url)).length);
    return nextLoad(url, context);
  },
});

process.on('message', () => {
  const files = [...sizes.values()];
  process.send({ files: files.length, bytes: files.reduce((sum, size) => sum + size, 0) });
});
// A function ends by itself where nothing is left to wait for, whoever listens.
process.channel.unref();
