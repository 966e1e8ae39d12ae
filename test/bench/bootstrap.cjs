const { existsSync } = require('node:fs');
const { join } = require('node:path');
const { pathToFileURL } = require('node:url');
// Lambda's runtime has already loaded it.
require('node:http');

/** The function's timeout in milliseconds; no invocation here comes near it. */
const timeout = 60_000;

run();

/** Does only what Lambda's runtime for Node.js does: it loads the handler, then takes one event after another. */
async function run() {
  const file = join(process.env.LAMBDA_TASK_ROOT, 'index');
  const { handler } = existsSync(`${file}.js`)
    ? require(`${file}.js`)
    : await import(pathToFileURL(`${file}.mjs`));

  process.on('message', async (event) => {
    const deadline = Date.now() + timeout;
    process.send(await handler(event, { getRemainingTimeInMillis: () => deadline - Date.now() }));
  });
  process.send('ready');
}
