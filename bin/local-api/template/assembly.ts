import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import * as v from 'valibot';
import { account } from './account.ts';

/** A stack of a cloud assembly, as `cdk synth` writes it. */
export interface Assembly {
  readonly name: string;
  readonly template: unknown;
  /** The absolute path of the assembly, with the functions' code. */
  readonly directory: string;
}

const Manifest = v.object({
  artifacts: v.record(v.string(), v.object({ environment: v.optional(v.string(), '') })),
});

/**
 * Reads a stack of the cloud assembly in a directory, with its account and region replaced by the local ones.
 *
 * @throws {Error} if there is no assembly, or it has no such stack
 */
export function readAssembly(directory: string, name: string): Assembly {
  const readText = (file: string) => readFileSync(join(directory, file), 'utf8');
  const { artifacts } = v.parse(Manifest, JSON.parse(readText('manifest.json')));
  const stack = artifacts[name];
  if (!stack) throw new Error(`The cloud assembly in ${directory} has no stack ${name}.`);

  const [, id = account.id, region = account.region] =
    /^aws:\/\/(\d+)\/([\w-]+)$/.exec(stack.environment) ?? [];
  const local = readText(`${name}.template.json`)
    .replaceAll(id, account.id)
    .replaceAll(region, account.region);
  return { name, template: JSON.parse(local), directory: resolve(directory) };
}
