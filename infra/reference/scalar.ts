/** Takes Scalar's script from its Fastify plugin: Scalar's own package has 270 dependencies (287 MB). */
export async function scalarScript(): Promise<string> {
  // Imported here because loading it takes a third of a second.
  const { default: plugin } = await import('@scalar/fastify-api-reference');
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const reply = { header: () => reply, send: resolve };
  const route = ({ url, handler }: { url: string; handler(request: unknown, to: typeof reply): void }) => {
    if (url.endsWith('.js')) handler(undefined, reply);
  };
  const done = () => reject(new Error('@scalar/fastify-api-reference serves no script.'));
  Reflect.apply(plugin, undefined, [{ route }, { configuration: { url: 'openapi.json' } }, done]);
  return promise;
}
