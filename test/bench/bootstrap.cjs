const { subscribe } = require('node:diagnostics_channel');
const { existsSync } = require('node:fs');
const { join } = require('node:path');
const { pathToFileURL } = require('node:url');
// Lambda's runtime has already loaded it.
require('node:http');

/** The function's timeout in milliseconds; no invocation here comes near it. */
const timeout = 60_000;

let requests = 0;
subscribe('http.client.request.start', () => {
  requests += 1;
});

run();

/** Does only what Lambda's runtime for Node.js does: it loads the handler, then takes one event after another. */
async function run() {
  const file = join(process.env.LAMBDA_TASK_ROOT, 'index');
  const { handler } = existsSync(`${file}.js`)
    ? require(`${file}.js`)
    : await import(pathToFileURL(`${file}.mjs`));

  const invoke = (event) => {
    const deadline = Date.now() + timeout;
    return handler(event, { getRemainingTimeInMillis: () => deadline - Date.now() });
  };
  const invocations = Number(process.env.INVOCATIONS);
  process.on('message', async (event) => {
    process.send(await (invocations ? meansOf(invoke, JSON.stringify(event), invocations) : invoke(event)));
  });
  process.send({ requests });
}

/** Returns the mean CPU time and duration of an invocation in milliseconds, once the code is compiled. */
async function meansOf(invoke, event, invocations) {
  // Like Lambda's runtime, which writes a log line as JSON.
  for (const level of ['info', 'warn', 'error']) {
    console[level] = (line) => process.stdout.write(`${JSON.stringify(line)}\n`);
  }
  for (let warmingUp = 0; warmingUp < invocations / 4; warmingUp++) await invoke(JSON.parse(event));
  const startedAt = performance.now();
  const before = process.cpuUsage();
  for (let done = 0; done < invocations; done++) {
    const { statusCode = 200 } = await invoke(JSON.parse(event));
    if (statusCode >= 400) throw new Error(`The function responded with ${statusCode}.`);
  }
  const { user, system } = process.cpuUsage(before);
  return {
    cpu: (user + system) / 1000 / invocations,
    duration: (performance.now() - startedAt) / invocations,
  };
}
