// In a bundle, in place of the SDK's module, whose checksums load node:zlib. A client that has event streams works
// without them.

export const resolveEventStreamSerdeConfig = <Config>(config: Config): Config => config;

/** Called for the first event stream. */
export function eventStreamSerdeProvider(): never {
  throw new Error('bundle-options.ts leaves out event streams.');
}
