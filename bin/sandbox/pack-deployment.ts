import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { serialize } from 'node:v8';
import { project } from '../local/this-project.ts';
import type { Assembly } from '../local-api/template/assembly.ts';
import { readDeployment } from '../local-api/template/deployment.ts';
import { deploymentFile } from './packed-deployment.ts';

/**
 * Writes what the local API serves of a stack to a new directory. The rest is the operator's own business, such
 * as the account, alarms, and who is notified.
 */
export function packDeployment(assembly: Assembly, directory: string): void {
  mkdirSync(directory, { recursive: true });
  const deployment = readDeployment(assembly, project);
  const functions = deployment.functions.map((spec) => {
    const codeDirectory = basename(spec.codeDirectory);
    cpSync(spec.codeDirectory, join(directory, codeDirectory), { recursive: true });
    return { ...spec, codeDirectory };
  });
  writeFileSync(join(directory, deploymentFile), serialize({ ...deployment, functions }));
}
