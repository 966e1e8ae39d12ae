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
export function readAliases(clients: Clients, stack: Stack): Promise<readonly Alias[]> {
  const arns = stack.idsOf('AWS::Lambda::Alias');
  if (arns.length === 0) throw new Error('The stack has no aliases.');
  // arn:aws:lambda:<region>:<account>:function:<name>:live
  return Promise.all(arns.map((arn) => readAlias(clients, arn.split(':')[6] ?? '')));
}

async function readAlias({ lambda }: Clients, functionName: string): Promise<Alias> {
  const alias = await lambda.send(new GetAliasCommand({ FunctionName: functionName, Name: liveAlias }));
  const { FunctionVersion: version, RoutingConfig } = alias;
  if (version === undefined) throw new Error(`The alias of ${functionName} has no version.`);
  return { functionName, version, shares: RoutingConfig?.AdditionalVersionWeights ?? {} };
}

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

/** A version of a function. */
export interface Version {
  readonly functionName: string;
  readonly version: string;
}

/** Returns those of these versions that do not exist: CloudFormation deletes the versions of a release that fails. */
export async function readMissing(
  clients: Clients,
  versions: readonly Version[],
): Promise<readonly Version[]> {
  const exist = await Promise.all(versions.map((version) => doesExist(clients, version)));
  return versions.filter((_version, index) => !exist[index]);
}

async function doesExist({ lambda }: Clients, { functionName, version }: Version): Promise<boolean> {
  try {
    const input = { FunctionName: functionName, Qualifier: version };
    await lambda.send(new GetFunctionConfigurationCommand(input));
    return true;
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return false;
    throw error;
  }
}
