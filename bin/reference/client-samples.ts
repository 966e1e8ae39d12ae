import { globSync } from 'node:fs';

/** How a client of this project calls the API. Its folder of `bin` has them in `reference-samples.ts`. */
export interface ClientSamples {
  /** The language, as a code block of Markdown names it. */
  readonly lang: string;
  /** The language, as people name it. */
  readonly label: string;
  /** A call with the client `api`, by the id of its operation. */
  readonly calls: Readonly<Record<string, string>>;
  /** What follows the guide's other programs, in Markdown. */
  readonly program: string;
}

/** Those of every client that is there. */
export const clientSamples: readonly ClientSamples[] = await Promise.all(
  globSync('../*/reference-samples.ts', { cwd: import.meta.dirname })
    .toSorted()
    .map(async (file) => {
      const { samples }: { samples: ClientSamples } = await import(new URL(file, import.meta.url).href);
      return samples;
    }),
);

/** Returns how clients call an operation, as `x-codeSamples`. */
export const callsOf = (operationId: string, clients = clientSamples) =>
  clients.flatMap(({ lang, label, calls }) => {
    const source = calls[operationId];
    return source === undefined ? [] : [{ lang, label, source }];
  });
