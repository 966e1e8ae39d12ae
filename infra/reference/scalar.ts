/** The part of Fastify that Scalar's plugin uses. */
interface Fastify {
  route(route: { readonly url: string; handler(request: unknown, reply: Reply): unknown }): void;
}

interface Reply {
  header(): Reply;
  send(content: string): void;
}

/** Takes Scalar's browser script from its Fastify plugin: the package that ships it has 270 dependencies (287 MB). */
export async function scalarScript(): Promise<string> {
  // Imported here because loading it takes a third of a second.
  const { default: fastifyApiReference } = await import('@scalar/fastify-api-reference');
  const register: (fastify: Fastify, options: object, done: () => void) => void = fastifyApiReference;

  return new Promise((resolve, reject) => {
    const reply: Reply = { header: () => reply, send: resolve };
    const fastify: Fastify = {
      route: ({ url, handler }) => url.endsWith('.js') && handler(undefined, reply),
    };
    register(fastify, { configuration: { url: 'openapi.json' } }, () =>
      reject(new Error('@scalar/fastify-api-reference serves no script.')),
    );
  });
}
