// In a bundle, in place of the SDK's module, whose checksums load node:zlib. A client that has event streams, such as
// S3's, works without them. If a function needs them, bundle-options.ts must not replace the module.

export const resolveEventStreamSerdeConfig = <Config>(config: Config): Config => config;

/** Called for the first event stream. */
export function eventStreamSerdeProvider(): never {
  throw new Error('bundle-options.ts leaves out event streams.');
}
