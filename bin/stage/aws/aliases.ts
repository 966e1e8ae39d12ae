import {
  GetAliasCommand,
  GetFunctionConfigurationCommand,
  ResourceNotFoundException,
} from '@aws-sdk/client-lambda';
import { liveAlias } from '../../../infra/stack-names.ts';
import type { Clients } from './clients.ts';
import type { Release } from './releases.ts';
import type { Stack } from './stack.ts';

/** A version of a function. */
export interface Version {
  readonly functionName: string;
  readonly version: string;
}

/** What the alias of a function points to. */
export interface Alias extends Version {
  /** Further versions, with their shares of the requests, as in a canary. */
  readonly shares: Readonly<Record<string, number>>;
}

/** Returns the names of the functions that have an alias: arn:aws:lambda:<region>:<account>:function:<name>:live */
export const functionNames = ({ idsOf }: Pick<Stack, 'idsOf'>): readonly string[] =>
  idsOf('AWS::Lambda::Alias').map((arn) => arn.split(':')[6] ?? '');

/** Reads what serves the requests. */
export function readAliases(clients: Clients, stack: Pick<Stack, 'idsOf'>): Promise<readonly Alias[]> {
  return Promise.all(servingNames(stack).map((name) => readAlias(clients, name)));
}

/** Returns the names of the functions that have an alias, of which a deployed stack has some. */
export function servingNames(stack: Pick<Stack, 'idsOf'>): readonly string[] {
  const names = functionNames(stack);
  if (names.length === 0) throw new Error('The stack has no aliases.');
  return names;
}

export async function readAlias({ lambda }: Clients, functionName: string): Promise<Alias> {
  const alias = await lambda.send(new GetAliasCommand({ FunctionName: functionName, Name: liveAlias }));
  const { FunctionVersion: version, RoutingConfig } = alias;
  if (version === undefined) throw new Error(`The alias of ${functionName} has no version.`);
  return { functionName, version, shares: RoutingConfig?.AdditionalVersionWeights ?? {} };
}

/** Returns which share of a function's requests each of its versions gets. */
export function servedShares({ version, shares }: Alias): ReadonlyMap<string, number> {
  const others = Object.entries(shares).filter(([, share]) => share > 0);
  const sum = others.reduce((total, [, share]) => total + share, 0);
  return new Map([[version, 1 - sum], ...others]);
}

/** Returns the smallest and the largest share of a function's requests that the versions of a release get. */
export function shareOf({ versions }: Release, aliases: readonly Alias[]): readonly [number, number] {
  const shares = aliases.map((alias) => servedShares(alias).get(versions[alias.functionName] ?? '') ?? 0);
  return [Math.min(...shares), Math.max(...shares)];
}

/** Returns the release that first had a version of a function. */
export const releaseOf = (
  { functionName, version }: Version,
  releases: readonly Release[],
): Release | undefined => releases.findLast(({ versions }) => versions[functionName] === version);

/** Whether all requests get one version. */
export const isAt = ({ version, shares }: Alias, expected: string | undefined): boolean =>
  version === expected && Object.keys(shares).length === 0;

/** Reads which of these versions exist: CloudFormation deletes those of a release that fails. */
export async function readExisting(
  { lambda }: Clients,
  versions: readonly Version[],
): Promise<readonly Version[]> {
  const existing: Version[] = [];
  // One after the other: Lambda answers 15 such calls per second.
  // https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
  for (const version of versions) {
    const input = { FunctionName: version.functionName, Qualifier: version.version };
    try {
      await lambda.send(new GetFunctionConfigurationCommand(input));
      existing.push(version);
    } catch (error) {
      if (!(error instanceof ResourceNotFoundException)) throw error;
    }
  }
  return existing;
}
