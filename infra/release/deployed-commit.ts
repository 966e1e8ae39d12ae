import { createHash } from 'node:crypto';
import { Annotations, CfnOutput, CfnResource, Fn, Lazy, Stack } from 'aws-cdk-lib';
import { StringParameter } from 'aws-cdk-lib/aws-ssm';
import { serviceName } from '../../shared/service.ts';
import { namesOf } from '../../shared/tables/table.ts';
import type { DeployedTable } from '../service/tables.ts';
import { commitParameter } from '../stack-names.ts';

export const unknownCommit = 'unknown';

/**
 * Records a commit with two digests of its template. Two releases with the same `templateDigest` differ only in
 * the code of functions, so that aliases lead back. With the same `tablesDigest`, no deploy replaces a table.
 *
 * Returns a reference to the recorded commit, which leaves the rest of the template as it is.
 */
export function recordCommit(
  stack: Stack,
  stage: string,
  tables: readonly DeployedTable[],
  commit = unknownCommit,
): string {
  if (commit === unknownCommit) {
    Annotations.of(stack).addWarningV2(
      `${serviceName}:commit`,
      'The release records no commit, so that nobody can tell later what was deployed. Run git init, ' +
        'git add --all and git commit. If git status reports a dubious ownership, do what it says.',
    );
  }
  new CfnOutput(stack, 'Commit', { value: commit });
  const parameter = new StringParameter(stack, 'DeployedCommit', {
    parameterName: commitParameter(stage),
    description: 'The deployed commit. The history of this parameter lists earlier releases.',
    // Not before the whole stack is defined.
    stringValue: Lazy.string({
      produce() {
        const resources = stack.node
          .findAll()
          .filter(CfnResource.isCfnResource)
          .filter((resource) => resource !== parameter.node.defaultChild);
        const templateDigest = digestOf(resources.map(templateOf));
        // Another key replaces a table, another index does not.
        const keys = tables.map(({ tableName, key, keyTypes }) => [
          stack.resolve(tableName),
          namesOf(key).map((name) => [name, keyTypes[name]]),
        ]);
        const tablesDigest = digestOf(keys);
        return [commit, templateDigest, tablesDigest].join(' ');
      },
    }),
  });
  return Fn.select(0, Fn.split(' ', parameter.stringValue));
}

const templateOf = (resource: CfnResource): unknown =>
  Stack.of(resource).resolve(resource._toCloudFormation());

/** Returns a short digest of parts of a template without the code of functions, and without metadata. */
const digestOf = (parts: readonly unknown[]) =>
  createHash('sha256').update(withoutCode(parts)).digest('hex').slice(0, 12);

const withoutCode = (parts: readonly unknown[]) =>
  JSON.stringify(parts, (name, value) => (name === 'Code' || name === 'Metadata' ? undefined : value))
    // A version's logical id ends in a digest of its function's code.
    .replaceAll(/(CurrentVersion[0-9A-F]{8})[0-9a-f]{32}/g, '$1');
