import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { App, Stack } from 'aws-cdk-lib';
import { Runtime } from 'aws-cdk-lib/aws-lambda';
import { LogLevel, NodejsFunction } from 'aws-cdk-lib/aws-lambda-nodejs';
import { Asset } from 'aws-cdk-lib/aws-s3-assets';
import type { Build } from '../lambda/function-process.ts';

const project = fileURLToPath(new URL('../../..', import.meta.url));
const sdkDefaults = fileURLToPath(new URL('./conventional-client.ts', import.meta.url));

/** The call during init, which ends the file of every handler. */
const warmUpCall = /^await warmUp\(.*\);\n$/m;

/**
 * Builds a function as most projects have it: through NodejsFunction with its defaults, with the SDK's defaults, and
 * with no call during init. Its code is in a folder below `parent`.
 */
export function conventional(deployed: Build, parent: string): Build {
  const { name: entry } = deployed;
  const directory = join(parent, `conventional-${entry}`);
  for (const part of ['functions', 'shared', 'package-lock.json']) {
    cpSync(join(project, part), join(directory, part), { recursive: true });
  }
  symlinkSync(join(project, 'node_modules'), join(directory, 'node_modules'));
  cpSync(sdkDefaults, join(directory, 'shared', 'lambda', 'dynamodb.ts'));

  const file = join(directory, 'functions', `${entry}.ts`);
  const source = readFileSync(file, 'utf8');
  if (!warmUpCall.test(source)) throw new Error(`${entry} makes no call during init that could be left out.`);
  writeFileSync(file, source.replace(warmUpCall, ''));

  const outdir = join(directory, 'cdk.out');
  const stack = new Stack(new App({ outdir }), 'Conventional');
  const { node } = new NodejsFunction(stack, entry, {
    entry: file,
    projectRoot: directory,
    depsLockFilePath: join(directory, 'package-lock.json'),
    runtime: Runtime.NODEJS_24_X,
    bundling: { logLevel: LogLevel.ERROR },
  });
  const code = node.findChild('Code');
  if (!(code instanceof Asset)) throw new Error(`${entry} has no code.`);
  return { ...deployed, kind: 'conventional', codeDirectory: join(outdir, code.assetPath) };
}
