import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { listen } from '../../../local-api/http/listen.ts';
import { runtimes } from './runtimes.ts';

// Runs network.ts on Node, Bun and Deno, with the server that it calls.

process.chdir(import.meta.dirname);

const pet = '{"id":7,"name":"Bella","categoryId":9223372036854775807,"status":"sold"}';

type Respond = (response: ServerResponse) => unknown;
const ok: Respond = (response) => response.end(pet);
const replay: Respond = (response) => response.writeHead(201, { 'Idempotency-Replayed': 'true' }).end(pet);
const onPage =
  (link: string): Respond =>
  (response) =>
    response.writeHead(200, { Link: link }).end(`[${pet}]`);

/** What the server responds under each name, in order; the last response repeats. */
const responses: Readonly<Record<string, readonly Respond[]>> = {
  pet: [ok],
  pages: [onPage('</pages/v1/pets?cursor=x>; rel="next"'), onPage('')],
  unavailable: [(response) => response.writeHead(503, { 'Retry-After': '0' }).end(), ok],
  replayed: [replay],
  reused: [ok, (response) => response.destroy(), replay],
  reset: [(response) => response.socket?.resetAndDestroy(), ok],
  'cut-off': [
    (response) => response.writeHead(200, { 'Content-Length': '100' }).write('{', () => response.destroy()),
    ok,
  ],
  redirect: [(response) => response.writeHead(307, { Location: '/pet/v1/pets' }).end()],
  // A second request would fail.
  'pages-once': [onPage(''), (response) => response.writeHead(400).end()],
  echo: [
    (response) =>
      response
        .writeHead(400, { 'X-Echo': 'secret' })
        .end('{"code":"x","message":"The key secret is wrong."}'),
  ],
  huge: [
    (response) =>
      response
        .writeHead(200, { 'Content-Encoding': 'gzip' })
        .end(gzipSync(Buffer.alloc(300 * 1024 ** 2, ' '))),
  ],
  silence: [() => undefined],
  stall: [(response) => response.writeHead(200).write('{')],
};

for (const [name, [command, ...args]] of Object.entries(runtimes)) {
  console.log(name);
  await run(command, args);
}

/** Runs the checks with a server of their own. */
async function run(command: string, args: readonly string[]): Promise<void> {
  const counts: Record<string, number> = {};
  const server = createServer((request, response) => {
    const [, path = ''] = request.url?.split('/') ?? [];
    const sequence = responses[path] ?? [];
    const count = counts[path] ?? 0;
    counts[path] = count + 1;
    sequence[Math.min(count, sequence.length - 1)]?.(response);
  });
  const port = await listen(server);
  try {
    const child = spawn(command, [...args, 'network.ts', `http://127.0.0.1:${port}`], { stdio: 'inherit' });
    const [code] = await once(child, 'exit');
    if (code !== 0) throw new Error(`The checks failed on ${command}.`);
  } finally {
    server.close().closeAllConnections();
  }
}
