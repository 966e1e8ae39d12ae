import { type BuildOptions, build } from 'esbuild';
import { bundleOptions } from '../../../infra/service/bundle-options.ts';

/** The parts of a bundle with more than 2 KB, in KB, as they were at most in November 2026. */
const usual: Readonly<Record<string, number>> = {
  'functions and shared': 17,
  '@aws/lambda-invoke-store': 2,
  '@aws-sdk/client-dynamodb': 30,
  '@aws-sdk/core': 22,
  '@aws-sdk/dynamodb-codec': 2,
  '@aws-sdk/lib-dynamodb': 5,
  '@aws-sdk/util-dynamodb': 5,
  '@middy/core': 3,
  '@smithy/core': 95,
  '@smithy/node-http-handler': 7,
  '@smithy/signature-v4': 10,
  mnemonist: 5,
  obliterator: 2,
  valibot: 9,
};

/** Returns what is larger in a bundle than it was, the most first. A package that is there twice has both places. */
export async function growthOf(entry: Pick<BuildOptions, 'entryPoints' | 'stdin'>): Promise<string> {
  const { metafile } = await build({ ...bundleOptions, ...entry, metafile: true });
  const sizes = new Map<string, number>();
  for (const { inputs } of Object.values(metafile.outputs)) {
    for (const [path, { bytesInOutput }] of Object.entries(inputs)) {
      const part = partOf(path);
      sizes.set(part, (sizes.get(part) ?? 0) + bytesInOutput);
    }
  }
  return Array.from(sizes, ([part, bytes]) => ({
    part,
    now: Math.round(bytes / 1000),
    before: usual[part] ?? 0,
  }))
    .filter(({ now, before }) => now > before + 1)
    .sort((one, other) => other.now - other.before - (one.now - one.before))
    .map(({ part, now, before }) => `${part} ${now} KB instead of ${before}`)
    .join(', ');
}

/** Returns the package of a file, or what the project's own files are called. */
const partOf = (path: string) =>
  /^node_modules\/((?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? 'functions and shared';
