import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { account } from './account.ts';

/** A stack of a cloud assembly, which is what `cdk synth` writes. */
export interface Assembly {
  /** The name of the stack. */
  readonly name: string;
  readonly template: unknown;
  /** The directory of the assembly, with the functions' code. */
  readonly directory: string;
}

const Manifest = v.object({
  artifacts: v.record(
    v.string(),
    v.looseObject({
      type: v.string(),
      environment: v.optional(v.string(), ''),
      properties: v.optional(v.looseObject({ templateFile: v.optional(v.string()) }), {}),
    }),
  ),
});

/**
 * Reads a stack of the cloud assembly in a directory.
 *
 * @throws {Error} if there is no assembly, or it has no such stack
 */
export function readAssembly(directory: string, stackName: string): Assembly {
  const { artifacts } = v.parse(Manifest, readJson(directory, 'manifest.json'));
  const { environment = '', properties } = artifacts[stackName] ?? {};
  if (properties?.templateFile === undefined) {
    throw new Error(`The cloud assembly in ${directory} has no stack ${stackName}.`);
  }
  return { name: stackName, template: readJson(directory, properties.templateFile, environment), directory };
}

/** Reads JSON; the account and region that the stack is for are replaced by the local ones. */
function readJson(directory: string, file: string, environment = ''): unknown {
  let text: string;
  try {
    text = readFileSync(join(directory, file), 'utf8');
  } catch (error) {
    throw new Error(`There is no cloud assembly in ${directory}: it has no ${file}.`, { cause: error });
  }
  const [, id = account.id, region = account.region] = /^aws:\/\/(\d+)\/([\w-]+)$/.exec(environment) ?? [];
  return JSON.parse(text.replaceAll(id, account.id).replaceAll(region, account.region));
}
