import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Script } from 'node:vm';
import { describe, expect, it, onTestFinished } from 'vitest';
import { temporaryDirectory } from '../../support/e2e/temporary-file.ts';
import { productionRelease } from '../../support/infra/synthesize.ts';
import { type Job, runStep, type Step, workflow } from '../../support/infra/workflows.ts';

it('the assembly comes from a job that runs nothing but the synthesis', () => {
  const { synthesize }: { synthesize: Job } = workflow('assembly').jobs;

  expect(synthesize.steps?.flatMap(({ run }) => run ?? [])).toEqual([
    'npm ci --ignore-scripts',
    'node node_modules/aws-cdk/bin/cdk synth --quiet -c "fixForward=$FIX_FORWARD"',
  ]);
});

it('a job gets an assembly only after its check', () => {
  const { on, jobs } = workflow('assembly');

  expect(on.workflow_call.outputs.id.value).toMatch(/^\$\{\{ jobs\.check\.outputs\.id \}\}$/);
  expect(jobs.check).toMatchObject({ needs: 'synthesize', permissions: {} });
  for (const name of ['deploy', 'drift']) {
    const text = readFileSync(`.github/workflows/${name}.yml`, 'utf8');
    expect(text).toContain('needs.assembly.outputs.id');
    expect(text).not.toContain('upload-artifact');
  }
});

const require = createRequire(import.meta.url);

describe('the check of an assembly', () => {
  const check: Step = workflow('assembly').jobs.check.steps.at(-1);
  const directory = temporaryDirectory();
  const outdir = join(directory, 'cdk.out');
  cpSync(productionRelease().directory, outdir, { recursive: true });
  const read = (file: string) => JSON.parse(readFileSync(join(outdir, file), 'utf8'));
  const stack = 'PetStore-production';
  const [assets, template] = [`${stack}.assets.json`, `${stack}.template.json`];
  const [manifest, assetManifest] = [read('manifest.json'), read(assets)];
  const original = { 'manifest.json': manifest, [assets]: assetManifest, [template]: read(template) };
  const withAssets = (changed: object) => ({ [assets]: { ...assetManifest, ...changed } });
  const withArtifact = (artifact: object, id = 'added') => ({
    'manifest.json': { ...manifest, artifacts: { ...manifest.artifacts, [id]: artifact } },
  });
  /** Changes an artifact of a stack, or its properties. */
  const ofStack = (changed: object, properties: object = {}, id = stack) => {
    const artifact = manifest.artifacts[id];
    return withArtifact(
      { ...artifact, properties: { ...artifact.properties, ...properties }, ...changed },
      id,
    );
  };
  const [templateKey = '', templateAsset] =
    Object.entries<{ source: object; destinations: object }>(assetManifest.files).find(([, { source }]) =>
      Object.values(source).includes(template),
    ) ?? [];
  const file = (source: object, key = 'added') =>
    withAssets({
      files: { ...assetManifest.files, [key]: { source, destinations: templateAsset?.destinations } },
    });
  const destined = (changed: object) => {
    const [[name, destination] = []] = Object.entries(templateAsset?.destinations ?? {});
    const destinations = { [`${name}`]: { ...destination, ...changed } };
    return withAssets({
      files: { ...assetManifest.files, [templateKey]: { ...templateAsset, destinations } },
    });
  };
  const bootstrapRole = (name: string) =>
    `arn:\${AWS::Partition}:iam::\${AWS::AccountId}:role/cdk-hnb659fds-${name}-role-\${AWS::AccountId}-\${AWS::Region}`;
  const { [templateKey]: _, ...code } = assetManifest.files;
  const [[codeKey = '', codeAsset] = []] = Object.entries<{ destinations: object }>(code);
  const codeAs = (key: string) => {
    const [[name, destination] = []] = Object.entries(codeAsset?.destinations ?? {});
    const destinations = { [`${name}`]: { ...destination, objectKey: `${key}.zip` } };
    return withAssets({ files: { ...assetManifest.files, [key]: { ...codeAsset, destinations } } });
  };
  const write = (changed: Readonly<Record<string, unknown>>) => {
    for (const [name, content] of Object.entries({ ...original, ...changed })) {
      // As the CDK writes a template.
      writeFileSync(join(outdir, name), JSON.stringify(content, undefined, name === template ? 1 : 0));
    }
  };
  const script = new Script(`(require) => {${check.run}}`);

  it('rejects other code under the name of what the app synthesized', () => {
    const added = join(outdir, `asset.${codeKey}`, 'added.mjs');
    writeFileSync(added, '');
    onTestFinished(() => rmSync(added));

    write({});

    expect(runStep(check, directory)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('Error: The assembly has the key '),
    });
  });

  it('accepts what this app synthesizes', () => {
    write({});

    expect(runStep(check, directory)).toMatchObject({ status: 0, stderr: '' });
  });

  it.each<[string, Readonly<Record<string, unknown>>]>([
    ['an asset with a command', file({ executable: ['sh', '-c', 'env'] })],
    ['an image', withAssets({ dockerImages: { added: { source: { directory: '.' } } } })],
    ['an asset outside the assembly', file({ path: '../../.aws/credentials', packaging: 'zip' })],
    ['an asset at an absolute path', file({ path: '/proc/self/environ', packaging: 'zip' })],
    ['an unknown artifact', withArtifact({ type: 'cdk:cloud-assembly', properties: {} })],
    ['an artifact with the name of a method', withArtifact({ type: 'constructor', properties: {} })],
    ['a manifest elsewhere', withArtifact({ type: 'cdk:asset-manifest', properties: { file: '../x.json' } })],
    ['a look-up', { 'manifest.json': { ...manifest, missing: [{ provider: 'plugin' }] } }],
    [
      'an image outside its manifest',
      ofStack({ metadata: { '/x': [{ type: 'aws:cdk:asset', data: { packaging: 'container-image' } }] } }),
    ],
    ['another template than the one that is compared', { [template]: { Resources: {} } }],
    ['a template from another file', file({ path: 'tree.json', packaging: 'file' }, templateKey)],
    ['a second template', file({ path: 'tree.json', packaging: 'file' })],
    ['no template', withAssets({ files: code })],
    ['code under a name that is not its digest', codeAs('0'.repeat(64))],
    ['a template in another bucket', destined({ bucketName: 'attacker' })],
    ['a template under another name', destined({ objectKey: `${'0'.repeat(64)}.json` })],
    [
      'a second destination',
      withAssets({
        files: {
          ...code,
          [templateKey]: { ...templateAsset, destinations: { ...templateAsset?.destinations, other: {} } },
        },
      }),
    ],
    ['the name of another stack', ofStack({}, { stackName: 'PetStore-staging' })],
    ['a stack that is selected by another name', ofStack({ displayName: 'PetStore-staging' })],
    ['a stack under a foreign id', withArtifact(manifest.artifacts[stack], 'Other')],
    ['the tags of another stage', ofStack({}, { tags: { service: 'pet-store', stage: 'staging' } })],
    ['further tags', ofStack({}, { tags: { ...manifest.artifacts[stack].properties.tags, other: '' } })],
    ['parameters', ofStack({}, { parameters: { Operators: '*' } })],
    ['parameters of the access stack', ofStack({}, { parameters: { Operators: '*' } }, `${stack}-access`)],
    ['subscribers of the stack', ofStack({}, { notificationArns: ['arn:aws:sns:us-east-1:999999999999:x'] })],
    ['another object as the template', ofStack({}, { stackTemplateAssetObjectUrl: 's3://attacker/x.json' })],
    ['no object as the template', ofStack({}, { stackTemplateAssetObjectUrl: undefined })],
    [
      'a role for look-ups that shows another stack',
      ofStack({}, { lookupRole: { arn: 'arn:aws:iam::999999999999:role/x' } }),
    ],
    ['a role that deploys', ofStack({}, { assumeRoleArn: bootstrapRole('deploy') })],
    ['another role for CloudFormation', ofStack({}, { cloudFormationExecutionRoleArn: bootstrapRole('x') })],
    ['the file of another stack', ofStack({}, { templateFile: `${stack}-access.template.json` })],
    ['a further manifest', ofStack({ dependencies: [`${stack}-access`, `${stack}.assets`, 'added'] })],
    ['an unknown member of a stack', ofStack({ added: {} })],
  ])('rejects %s', (_title, changed) => {
    write(changed);
    const root = process.cwd();
    onTestFinished(() => process.chdir(root));
    process.chdir(directory);

    // In this process: starting another takes longer than the check.
    expect(() => script.runInThisContext()(require)).toThrow('The assembly has ');
  });
});
