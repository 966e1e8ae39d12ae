const { join } = require('node:path');
const { pathToFileURL } = require('node:url');
// Lambda's runtime has already loaded it.
require('node:http');

/** The function's timeout in milliseconds; no invocation here comes near it. */
const timeout = 60_000;
const warmInvocations = 200;

run();

/** Loads the handler as Lambda's runtime for Node.js does, responds to one event, and repeats it once warm. */
async function run() {
  const { handler } = await import(pathToFileURL(join(process.env.LAMBDA_TASK_ROOT, 'index.mjs')));
  const invoke = (event) => {
    const deadline = Date.now() + timeout;
    return handler(event, { getRemainingTimeInMillis: () => deadline - Date.now() });
  };
  process.once('message', async (event) => {
    // A handler may change its event.
    const text = JSON.stringify(event);
    process.send(await invoke(event));
    const memory = process.resourceUsage().maxRSS / 1024;
    process.send({ memory, cpu: await warmCpu(invoke, text) });
  });
  process.send('ready');
}

/** Returns the mean CPU time of an invocation in milliseconds, once the code is compiled. */
async function warmCpu(invoke, event) {
  // Like Lambda's runtime, which writes a log line as JSON.
  for (const level of ['info', 'warn', 'error']) {
    console[level] = (line) => process.stdout.write(`${JSON.stringify(line)}\n`);
  }
  for (let warmingUp = 0; warmingUp < warmInvocations / 2; warmingUp++) await invoke(JSON.parse(event));
  const before = process.cpuUsage();
  for (let done = 0; done < warmInvocations; done++) await invoke(JSON.parse(event));
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / warmInvocations;
}
