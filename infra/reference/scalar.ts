/** What Scalar's plugin asks of the Fastify that it is registered with. */
interface Fastify {
  readonly log: Console;
  hasPlugin(): boolean;
  route(route: { readonly url: string; handler(request: unknown, reply: Reply): unknown }): void;
}

interface Reply {
  header(): Reply;
  send(content: string): void;
}

/**
 * Scalar's script for browsers: the page, in one file. The package of that file brings 270 others along, and 287 MB;
 * the plugin for Fastify has it inside, and serves it on a route.
 *
 * @throws {Error} when the plugin has no route for it any more
 */
export async function scalarScript(): Promise<string> {
  // Loaded when a page is asked for, because it takes a third of a second.
  const { default: fastifyApiReference } = await import('@scalar/fastify-api-reference');
  const register: (fastify: Fastify, options: object, done: () => void) => void = fastifyApiReference;

  let script: string | undefined;
  const reply: Reply = {
    header: () => reply,
    send: (content) => {
      script = content;
    },
  };
  const fastify: Fastify = {
    log: console,
    hasPlugin: () => false,
    route: ({ url, handler }) => {
      if (url.endsWith('.js')) handler(undefined, reply);
    },
  };
  register(fastify, { configuration: { url: 'openapi.json' } }, () => undefined);

  if (script === undefined) throw new Error('@scalar/fastify-api-reference serves no script.');
  return script;
}
