import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { projectRoot } from '../../infra/project-root.ts';

/** The call during init, at the end of every handler's file. */
const warmUpCall = /^await warmUp\(.*\);\n$/m;

/** Leaves out the call during init, and gives the SDK its defaults. */
const conventions: Plugin = {
  name: 'conventions',
  setup({ onLoad, onResolve }) {
    onLoad({ filter: /functions.[\w-]+\.ts$/ }, ({ path }) => {
      const source = readFileSync(path, 'utf8');
      if (!warmUpCall.test(source)) throw new Error(`${path} does not end with a call during init.`);
      return { contents: source.replace(warmUpCall, ''), loader: 'ts' };
    });
    const client = join(import.meta.dirname, 'conventional-client.ts');
    onResolve({ filter: /\/dynamodb\.ts$/ }, () => ({ path: client }));
  },
};

/**
 * Builds a function as most projects do: as the CDK's NodejsFunction does by default, with the SDK's
 * defaults, and without a call during init.
 *
 * @see https://docs.aws.amazon.com/cdk/api/v2/docs/aws-cdk-lib.aws_lambda_nodejs-readme.html
 */
export async function buildConventionally(name: string, directory: string): Promise<void> {
  await build({
    absWorkingDir: projectRoot,
    entryPoints: { index: `functions/${name}.ts` },
    outdir: directory,
    bundle: true,
    platform: 'node',
    target: 'node24',
    // Lambda's runtime has them.
    external: ['@aws-sdk/*', '@smithy/*'],
    plugins: [conventions],
  });
}
