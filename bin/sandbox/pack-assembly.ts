import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import * as v from 'valibot';
import { readAssembly } from '../../infra/local/template/assembly.ts';
import { readDeployment } from '../../infra/local/template/deployment.ts';
import { supportedTypes } from '../../infra/local/template/resource-types.ts';
import { project } from '../local/project.ts';

const Template = v.object({
  Resources: v.record(v.string(), v.looseObject({ Type: v.string() })),
  Outputs: v.record(v.string(), v.unknown()),
});

/**
 * Copies what the local API serves of a stack from one directory to another. The rest is the operator's own
 * business, such as the account, alarms, and who is notified.
 */
export function packAssembly(name: string, from: string, to: string): void {
  const assembly = readAssembly(from, name);
  const { Resources, Outputs } = v.parse(Template, assembly.template);
  // Others may be referred to.
  const packed = Object.entries(Resources).map(([id, resource]) =>
    resource.Type in supportedTypes ? [id, resource] : [id, { Type: resource.Type, Properties: {} }],
  );
  const template = { Resources: Object.fromEntries(packed), Outputs };
  const manifest = { artifacts: { [name]: {} } };

  mkdirSync(to, { recursive: true });
  writeFileSync(join(to, 'manifest.json'), JSON.stringify(manifest));
  writeFileSync(join(to, `${name}.template.json`), JSON.stringify(template));
  for (const { codeDirectory } of readDeployment(assembly, project).functions) {
    cpSync(codeDirectory, join(to, basename(codeDirectory)), { recursive: true });
  }
}
