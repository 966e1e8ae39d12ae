const { existsSync } = require('node:fs');
const { connect } = require('node:net');
const { join } = require('node:path');
// Lambda's runtime loads it for what it seldom does, so that functions find it loaded.
require('node:http');

// What Lambda's runtime for Node.js does, and no more: load the handler, then ask for events one after the other.
// https://docs.aws.amazon.com/lambda/latest/dg/runtimes-api.html
const { AWS_LAMBDA_RUNTIME_API: runtimeApi, LAMBDA_TASK_ROOT: taskRoot, _HANDLER: handlerName } = process.env;
const [host, port] = runtimeApi.split(':');
const socket = connect(Number(port), host).setEncoding('ascii');

run();

async function run() {
  const [file, exportName] = handlerName.split('.');
  const commonJs = join(taskRoot, `${file}.js`);
  const module = existsSync(commonJs) ? require(commonJs) : await import(join(taskRoot, `${file}.mjs`));
  const handler = module[exportName];

  for (;;) {
    const { headers, body } = await call('GET', 'next');
    const requestId = headers['lambda-runtime-aws-request-id'];
    const deadline = Number(headers['lambda-runtime-deadline-ms']);
    const context = {
      awsRequestId: requestId,
      getRemainingTimeInMillis: () => deadline - Date.now(),
    };
    const result = await handler(JSON.parse(body), context);
    await call('POST', `${requestId}/response`, JSON.stringify(result));
  }
}

/**
 * Lambda's own runtime calls through native code: this is what takes little JavaScript as well. What it receives is
 * ASCII, so that a character is a byte.
 */
function call(method, path, content = '') {
  const { promise, resolve } = Promise.withResolvers();
  let received = '';
  socket.removeAllListeners('data').on('data', (chunk) => {
    received += chunk;
    const [head, body] = received.split('\r\n\r\n', 2);
    const headers = Object.fromEntries(head.split('\r\n').map((line) => line.toLowerCase().split(': ', 2)));
    if (body?.length === Number(headers['content-length'])) resolve({ headers, body });
  });
  socket.write(
    `${method} /2018-06-01/runtime/invocation/${path} HTTP/1.1\r\nHost: ${runtimeApi}\r\nContent-Length: ${Buffer.byteLength(content)}\r\n\r\n${content}`,
  );
  return promise;
}
