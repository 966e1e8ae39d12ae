import { existsSync, globSync, mkdtempDisposableSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { projectRoot } from '../../project-root.ts';
import { runApp } from './run-app.ts';
import { SourceError } from './source-error.ts';

const CdkJson = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ app: v.pipe(v.string(), v.startsWith('node ')) }),
);

/**
 * Writes the assembly of a stage to a directory, which may have an earlier one, with its assets in use.
 *
 * @throws {SourceError} with the error of the CDK app
 */
export async function synthesize(stage: string, directory: string, signal?: AbortSignal): Promise<void> {
  // New each time: after an aborted synthesis, the CDK would take incomplete assets for complete ones.
  using output = mkdtempDisposableSync(join(directory, 'synthesis-'));
  // Read each time, because the file may have changed.
  const { app } = v.parse(CdkJson, readFileSync(join(projectRoot, 'cdk.json'), 'utf8'));
  const environment = {
    CDK_OUTDIR: output.path,
    // For one stage, like `cdk -c pet-store:local=<stage>`.
    CDK_CONTEXT_JSON: JSON.stringify({ 'pet-store:local': stage }),
  };
  await runApp(app.split(' ').slice(1), { environment, signal });
  if (!existsSync(join(output.path, 'manifest.json'))) {
    throw new SourceError('The CDK app ended before it wrote the stack.');
  }

  for (const name of globSync(['*.json', 'asset.*'], { cwd: output.path })) {
    const path = join(directory, name);
    // An asset is named by its content.
    if (name.endsWith('.json') || !existsSync(path)) renameSync(join(output.path, name), path);
  }
}
