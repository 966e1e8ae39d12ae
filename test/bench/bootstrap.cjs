const { existsSync } = require('node:fs');
const { Agent, request } = require('node:http');
const { join } = require('node:path');

// What Lambda's runtime for Node.js does, and no more: load the handler, then ask for events one after the other.
// https://docs.aws.amazon.com/lambda/latest/dg/runtimes-api.html
const { AWS_LAMBDA_RUNTIME_API: runtimeApi, LAMBDA_TASK_ROOT: taskRoot, _HANDLER: handlerName } = process.env;
const agent = new Agent({ keepAlive: true, maxSockets: 1 });

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
    const answer = await handler(JSON.parse(body), context);
    await call('POST', `${requestId}/response`, JSON.stringify(answer));
  }
}

function call(method, path, content = '') {
  const { promise, resolve, reject } = Promise.withResolvers();
  const url = `http://${runtimeApi}/2018-06-01/runtime/invocation/${path}`;
  request(url, { method, agent, headers: { 'Content-Length': Buffer.byteLength(content) } }, (response) => {
    let body = '';
    response.setEncoding('utf8');
    response.on('data', (chunk) => {
      body += chunk;
    });
    response.on('end', () => resolve({ headers: response.headers, body }));
  })
    .on('error', reject)
    .end(content);
  return promise;
}
