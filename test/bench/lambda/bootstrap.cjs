const { existsSync } = require('node:fs');
const { Socket } = require('node:net');
const { join } = require('node:path');
// Lambda's runtime loads it for what it seldom does, so that functions find it loaded.
require('node:http');

// What Lambda's runtime for Node.js does, and no more: load the handler, then take one event after the other. They are
// lines of a socket: Lambda's own runtime calls through native code, and this takes little JavaScript as well.
const channel = new Socket({ fd: 3 }).setEncoding('utf8');
const send = (result) => channel.write(`${JSON.stringify(result)}\n`);

/** The time that a function has, in milliseconds: no invocation here comes near it. */
const timeout = 60_000;

run();

async function run() {
  const file = join(process.env.LAMBDA_TASK_ROOT, 'index');
  const { handler } = existsSync(`${file}.js`) ? require(`${file}.js`) : await import(`${file}.mjs`);

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
