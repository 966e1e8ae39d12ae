import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { App, Stack } from 'aws-cdk-lib';
import { Runtime } from 'aws-cdk-lib/aws-lambda';
import { LogLevel, NodejsFunction } from 'aws-cdk-lib/aws-lambda-nodejs';
import { Asset } from 'aws-cdk-lib/aws-s3-assets';
import { project } from '../../infra/service/bundle-options.ts';
import type { Build } from './function-process.ts';

/** The call during init, at the end of every handler's file. */
const warmUpCall = /^await warmUp\(.*\);\n$/m;

/**
 * Builds a function as most projects do: with the defaults of NodejsFunction and the SDK, and no call during
 * init. Its code is in a folder below `parent`.
 */
export function conventional(deployed: Build, parent: string): Build {
  const { name: entry } = deployed;
  const directory = join(parent, `conventional-${entry}`);
  for (const part of ['functions', 'shared', 'package-lock.json']) {
    cpSync(join(project, part), join(directory, part), { recursive: true });
  }
  symlinkSync(join(project, 'node_modules'), join(directory, 'node_modules'), 'junction');
  cpSync(
    join(import.meta.dirname, 'conventional-client.ts'),
    join(directory, 'shared', 'lambda', 'dynamodb.ts'),
  );

  const file = join(directory, 'functions', `${entry}.ts`);
  const source = readFileSync(file, 'utf8');
  if (!warmUpCall.test(source)) throw new Error(`${entry} does not end with a call during init.`);
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
