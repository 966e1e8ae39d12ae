import {
  GetAliasCommand,
  GetFunctionConfigurationCommand,
  ResourceNotFoundException,
} from '@aws-sdk/client-lambda';
import { liveAlias } from '../../../infra/stack-names.ts';
import type { Clients } from '../aws/clients.ts';
import type { Release } from '../aws/releases.ts';
import type { Stack } from '../aws/stack.ts';
import { shortCommit } from './release-path.ts';

/** What the alias of a function serves. */
export interface Alias {
  readonly functionName: string;
  readonly version: string;
  /** Further versions, with their shares of the requests, as in a canary. */
  readonly shares: Readonly<Record<string, number>>;
}

/** Reads what serves the requests. */
export const readAliases = ({ lambda }: Clients, stack: Stack): Promise<readonly Alias[]> =>
  Promise.all(
    stack.idsOf('AWS::Lambda::Alias').map(async (arn) => {
      // arn:aws:lambda:<region>:<account>:function:<name>:live
      const [, , , , , , functionName = ''] = arn.split(':');
      const alias = await lambda.send(new GetAliasCommand({ FunctionName: functionName, Name: liveAlias }));
      if (alias.FunctionVersion === undefined)
        throw new Error(`The alias of ${functionName} has no version.`);
      return {
        functionName,
        version: alias.FunctionVersion,
        shares: alias.RoutingConfig?.AdditionalVersionWeights ?? {},
      };
    }),
  );

/** Whether all requests get one version. */
export const isAt = ({ version, shares }: Alias, expected: string | undefined): boolean =>
  version === expected && Object.keys(shares).length === 0;

/** Returns the newest release whose versions serve all requests. */
export const liveRelease = (releases: readonly Release[], aliases: readonly Alias[]): Release | undefined =>
  releases.find(({ versions }) => aliases.every((alias) => isAt(alias, versions[alias.functionName])));

/** Describes what an alias serves, with the commits that first had these versions. */
export function aliasText({ functionName, version, shares }: Alias, releases: readonly Release[]): string {
  const commitOf = (number: string) => {
    const first = releases.findLast(({ versions }) => versions[functionName] === number);
    return `version ${number} (${first ? shortCommit(first) : 'in no record'})`;
  };
  const others = Object.entries(shares).map(([number, share]) => `, ${share * 100}% ${commitOf(number)}`);
  return `${functionName}: ${commitOf(version)}${others.join('')}`;
}

/** Returns those of these versions that do not exist: CloudFormation deletes the versions of a release that fails. */
export async function readMissing(
  { lambda }: Clients,
  versions: readonly (readonly [functionName: string, version: string])[],
): Promise<readonly string[]> {
  const missing = versions.map(async ([FunctionName, Qualifier]) => {
    try {
      await lambda.send(new GetFunctionConfigurationCommand({ FunctionName, Qualifier }));
      return [];
    } catch (error) {
      if (error instanceof ResourceNotFoundException) return [`version ${Qualifier} of ${FunctionName}`];
      throw error;
    }
  });
  return (await Promise.all(missing)).flat();
}
