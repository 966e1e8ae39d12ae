const { existsSync } = require('node:fs');
const { Socket } = require('node:net');
const { join } = require('node:path');
const { pathToFileURL } = require('node:url');
// Lambda's runtime has already loaded it.
require('node:http');

// Does only what Lambda's runtime for Node.js does: it loads the handler, then takes one event after
// another. Events are lines of a socket, which takes as little JavaScript as the native code of Lambda's
// runtime.
const channel = new Socket({ fd: 3 }).setEncoding('utf8');
const send = (result) => channel.write(`${JSON.stringify(result)}\n`);

/** The function's timeout in milliseconds; no invocation here comes near it. */
const timeout = 60_000;

run();

async function run() {
  const file = join(process.env.LAMBDA_TASK_ROOT, 'index');
  const { handler } = existsSync(`${file}.js`)
    ? require(`${file}.js`)
    : await import(pathToFileURL(`${file}.mjs`));

  let received = '';
  channel.on('data', async (chunk) => {
    received += chunk;
    if (!received.endsWith('\n')) return;
    const event = JSON.parse(received);
    received = '';
    const deadline = Date.now() + timeout;
    send(await handler(event, { getRemainingTimeInMillis: () => deadline - Date.now() }));
  });
  send('ready');
}
