import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { arn } from '../../infra/local/template/account.ts';
import type { Deployment, FunctionSpec } from '../../infra/local/template/deployment.ts';
import { bundle } from '../../infra/service/bundle.ts';
import type { Operation } from '../../shared/contract/operation.ts';
import { createPet, getPet, listPets } from '../../shared/contract/operations.ts';
import { eventOf } from '../support/functions/invoke.ts';
import { conventionalBuild } from './conventional/build.ts';

/**
 * How a handler was built: as it is deployed; with the defaults of NodejsFunction and of the AWS SDK, and without a call
 * during init; or a bare handler of the bench, bundled as the deployed ones are.
 */
export type Build = 'deployed' | 'conventional' | 'bare';

/** A build of a handler, ready to be started, and an event for which it succeeds. */
export interface Subject {
  readonly name: string;
  readonly build: Build;
  readonly codeDirectory: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly event: unknown;
}

/** The handler that responds and does nothing: no function starts faster. */
export const floor = 'empty';

/** The handler that makes the call of getPet, in init too, and nothing else. */
export const oneCall = 'one-call';

/** What the events ask for: there is such a key and such a pet. */
export interface Sample {
  readonly apiKey: string;
  readonly petId: string;
}

/** The functions of a deployment as they are deployed; `lambdaEnvironment` adds to their own what Lambda would. */
export function deployedFunctions(
  deployment: Deployment,
  { apiKey, petId }: Sample,
  lambdaEnvironment: Readonly<Record<string, string>>,
): Subject[] {
  const deployed = (name: string, { codeDirectory, environment }: FunctionSpec, event: unknown): Subject => ({
    name,
    build: 'deployed',
    codeDirectory,
    environment: { ...environment, ...lambdaEnvironment },
    event,
  });
  const { authorizer } = routeOf(deployment, getPet);

  return [
    deployed('get-pet', handlerOf(deployment, getPet), eventOf({ petId })),
    deployed('list-pets', handlerOf(deployment, listPets), eventOf({ query: 'status=available' })),
    deployed(
      'create-pet',
      handlerOf(deployment, createPet),
      eventOf({ method: 'POST', body: '{"name":"Bella","categoryId":9223372036854775807}' }),
    ),
    deployed('authorizer', functionOf(deployment, authorizer.functionArn), {
      type: 'TOKEN',
      authorizationToken: `Bearer ${apiKey}`,
      methodArn: arn('execute-api', 'api/v1/GET/pets'),
    }),
  ];
}

/** The function of a name. */
export function functionNamed(name: string, functions: readonly Subject[]): Subject {
  const found = functions.find((candidate) => candidate.name === name);
  if (!found) throw new Error(`There is no function ${name}.`);
  return found;
}

/** A deployed function in its conventional build, the code below `directory`. */
export function conventional(subject: Subject, directory: string): Subject {
  const folder = join(directory, `conventional-${subject.name}`);
  mkdirSync(folder);
  return { ...subject, build: 'conventional', codeDirectory: conventionalBuild(subject.name, folder) };
}

/** The bare handlers, their code below `directory`, with the environment and the event of getPet. */
export function bareHandlers(deployed: readonly Subject[], directory: string): Subject[] {
  const { environment, event } = functionNamed('get-pet', deployed);
  return [floor, oneCall].map((name) => {
    const codeDirectory = join(directory, name);
    bundle(`test/bench/handlers/${name}.ts`, codeDirectory);
    return { name, build: 'bare', codeDirectory, environment, event };
  });
}

function routeOf({ routes }: Deployment, { method, path }: Operation): Deployment['routes'][number] {
  const route = routes.find((candidate) => candidate.method === method && candidate.resourcePath === path);
  if (!route) throw new Error(`The stack has no route ${method} ${path}.`);
  return route;
}

const handlerOf = (deployment: Deployment, operation: Operation) =>
  functionOf(deployment, routeOf(deployment, operation).functionArn);

function functionOf({ functions }: Deployment, functionArn: string): FunctionSpec {
  const spec = functions.get(functionArn);
  if (!spec) throw new Error(`The stack has no function ${functionArn}.`);
  return spec;
}
