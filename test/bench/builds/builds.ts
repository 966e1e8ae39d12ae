import { join } from 'node:path';
import { arn } from '../../../infra/local/template/account.ts';
import type { Deployment } from '../../../infra/local/template/deployment.ts';
import { bundle } from '../../../infra/service/bundle.ts';
import { stringifyJson } from '../../../shared/contract/json.ts';
import { exampleNewPet } from '../../../shared/contract/operations.ts';
import { eventOf } from '../../support/functions/invoke.ts';
import type { Build } from '../lambda/function-process.ts';

/** The functions of a deployment, as they are deployed; Lambda adds something to their environment. */
export function deployedBuilds(
  { functions }: Deployment,
  { apiKey, petId }: { readonly apiKey: string; readonly petId: string },
  lambdaEnvironment: Readonly<Record<string, string>>,
): Build[] {
  const deployed = (name: string, logicalId: string, event: unknown): Build => {
    const spec = functions.values().find((candidate) => candidate.name.includes(logicalId));
    if (!spec) throw new Error(`The stack has no function ${logicalId}.`);
    const environment = { ...spec.environment, ...lambdaEnvironment };
    return { name, kind: 'deployed', codeDirectory: spec.codeDirectory, environment, event };
  };

  return [
    deployed('get-pet', 'GetPetFunction', eventOf({ petId })),
    deployed('list-pets', 'ListPetsFunction', eventOf({ query: 'status=available' })),
    deployed(
      'create-pet',
      'CreatePetFunction',
      eventOf({ method: 'POST', body: stringifyJson(exampleNewPet) }),
    ),
    deployed('authorizer', 'AuthorizerFunction', {
      type: 'TOKEN',
      authorizationToken: `Bearer ${apiKey}`,
      methodArn: arn('execute-api', 'api/v1/GET/pets'),
    }),
  ];
}

/** The handler that responds and does nothing, and the one that makes the call of getPet and nothing else, in init too. */
export function bareBuilds(getPet: Build, directory: string): Build[] {
  return ['empty', 'one-call'].map((name) => {
    const codeDirectory = join(directory, name);
    bundle(`test/bench/builds/${name}.ts`, codeDirectory);
    return { ...getPet, name, kind: 'bare', codeDirectory };
  });
}
