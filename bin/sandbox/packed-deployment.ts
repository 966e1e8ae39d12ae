import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { deserialize } from 'node:v8';
import type { Deployment } from '../local-api/template/deployment.ts';

export const deploymentFile = 'deployment.bin';

/** Reads what `packDeployment` wrote to a directory, wherever the directory is now. */
export function packedDeployment(directory: string): Deployment {
  const deployment: Deployment = deserialize(readFileSync(join(directory, deploymentFile)));
  const functions = deployment.functions.map((spec) => ({
    ...spec,
    codeDirectory: join(directory, spec.codeDirectory),
  }));
  return { ...deployment, functions };
}
