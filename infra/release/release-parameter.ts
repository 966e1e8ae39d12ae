import { createHash } from 'node:crypto';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { StringParameter } from 'aws-cdk-lib/aws-ssm';
import { Annotations, CfnOutput, CfnResource, Fn, Lazy, type Stack } from 'aws-cdk-lib/core';
import { serviceName } from '../../shared/service.ts';
import { namesOf, type TableDefinition } from '../../shared/tables/table.ts';
import { commitParameter } from '../stack-names.ts';
import { recordText, unknownCommit } from './release-record.ts';

/** What is released. */
interface Release {
  readonly stage: string;
  readonly commit: string | undefined;
  readonly tables: readonly TableDefinition[];
  /** The functions whose aliases a release moves. */
  readonly functions: readonly LambdaFunction[];
}

/**
 * Records a release in a parameter, which CloudFormation writes once it has published the versions of the functions:
 * while a canary runs, and again with the earlier value if that fails.
 *
 * Returns a reference to the recorded commit, which leaves the rest of the template as it is.
 */
export function recordRelease(
  stack: Stack,
  { stage, commit = unknownCommit, tables, functions }: Release,
): string {
  if (commit === unknownCommit) {
    Annotations.of(stack).addWarningV2(
      `${serviceName}:commit`,
      'The release records no commit, so that nobody can tell later what was deployed. Run git init, ' +
        'git add --all and git commit. If git status reports a dubious ownership, do what it says.',
    );
  }
  new CfnOutput(stack, 'Commit', { value: commit });
  const versions = Object.fromEntries(
    functions.map(({ functionName, currentVersion }) => [functionName, currentVersion.version]),
  );
  const parameter = new StringParameter(stack, 'DeployedCommit', {
    parameterName: commitParameter(stage),
    description: 'The deployed commit. The history of this parameter lists earlier releases.',
    // Not before the whole stack is defined.
    stringValue: Lazy.string({
      produce() {
        const resources = stack.node
          .findAll()
          .filter(CfnResource.isCfnResource)
          .filter((resource) => resource !== parameter.node.defaultChild)
          .map((resource): unknown => stack.resolve(resource._toCloudFormation()));
        // Another key replaces a table, another index does not.
        const keys = tables.map(({ id, key, keyTypes }) => [
          id,
          namesOf(key).map((name) => [name, keyTypes[name]]),
        ]);
        return recordText({
          commit,
          template: digestOf(withoutCode(textOf(resources, [...withoutEffect, 'Code']))),
          tables: digestOf(textOf(keys)),
          content: digestOf(textOf(resources, withoutEffect)),
          versions,
        });
      },
    }),
  });
  return Fn.select(0, Fn.split(' ', parameter.stringValue));
}

const digestOf = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 12);

/** Parts of a template that say how something is deployed, not what. */
const withoutEffect = ['Metadata', 'UpdatePolicy'];

const textOf = (parts: readonly unknown[], left: readonly string[] = []) =>
  JSON.stringify(parts, (name, value) => (left.includes(name) ? undefined : value));

/** A version's logical id ends in a digest of its function's code. */
const withoutCode = (text: string) => text.replaceAll(/(CurrentVersion[0-9A-F]{8})[0-9a-f]{32}/g, '$1');
