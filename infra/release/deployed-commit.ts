import { createHash } from 'node:crypto';
import { CfnResource, Fn, Lazy, Stack } from 'aws-cdk-lib';
import { StringParameter } from 'aws-cdk-lib/aws-ssm';
import type { DeployedTable } from '../service/tables.ts';
import { commitParameter } from '../stack-names.ts';

/**
 * Records a commit with two digests of its template. Two releases with the same first one differ only in the
 * code of functions, so that aliases lead back. With the same second one, no deploy replaces a table.
 *
 * Returns a reference to the recorded commit, which leaves the rest of the template as it is.
 */
export function recordCommit(
  stack: Stack,
  stage: string,
  commit: string,
  tables: readonly DeployedTable[],
): string {
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
        const ofTables = resources.filter(({ cfnResourceType }) =>
          cfnResourceType.startsWith('AWS::DynamoDB::'),
        );
        const used = [
          ...ofTables.map(templateOf),
          ...tables.map(({ tableName }) => stack.resolve(tableName)),
        ];
        return [commit, digestOf(resources.map(templateOf)), digestOf(used)].join(' ');
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
