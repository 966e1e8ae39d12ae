import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { account, arn } from '../../../infra/local/template/account.ts';
import type { Deployment } from '../../../infra/local/template/deployment.ts';
import { bundle } from '../../../infra/service/bundle.ts';
import { eventOf } from '../../support/functions/invoke.ts';
import type { Build } from '../lambda/function-process.ts';
import { conventionalBuild } from './conventional.ts';

/** What the functions find: DynamoDB's endpoint and its certificate, a key and a pet. */
export interface Surroundings {
  readonly endpoint: string;
  readonly certificateFile: string;
  readonly apiKey: string;
  readonly petId: string;
}

/** The functions of a deployment, as they are deployed. */
export function deployedBuilds({ functions }: Deployment, surroundings: Surroundings): Build[] {
  const { endpoint, certificateFile, apiKey, petId } = surroundings;
  const deployed = (name: string, logicalId: string, event: unknown): Build => {
    const spec = functions.values().find((candidate) => candidate.name.includes(logicalId));
    if (!spec) throw new Error(`The stack has no function ${logicalId}.`);
    const environment = {
      ...spec.environment,
      AWS_REGION: account.region,
      AWS_ACCESS_KEY_ID: 'function',
      AWS_SECRET_ACCESS_KEY: 'none',
      AWS_SESSION_TOKEN: 'none',
      AWS_ENDPOINT_URL: endpoint,
      NODE_EXTRA_CA_CERTS: certificateFile,
    };
    return { name, kind: 'deployed', codeDirectory: spec.codeDirectory, environment, event };
  };

  return [
    deployed('get-pet', 'GetPetFunction', eventOf({ petId })),
    deployed('list-pets', 'ListPetsFunction', eventOf({ query: 'status=available' })),
    deployed(
      'create-pet',
      'CreatePetFunction',
      eventOf({ method: 'POST', body: '{"name":"Bella","categoryId":9223372036854775807}' }),
    ),
    deployed('authorizer', 'AuthorizerFunction', {
      type: 'TOKEN',
      authorizationToken: `Bearer ${apiKey}`,
      methodArn: arn('execute-api', 'api/v1/GET/pets'),
    }),
  ];
}

/** A deployed function in its conventional build, the code below `directory`. */
export function conventional(deployed: Build, directory: string): Build {
  const folder = join(directory, `conventional-${deployed.name}`);
  mkdirSync(folder);
  return { ...deployed, kind: 'conventional', codeDirectory: conventionalBuild(deployed.name, folder) };
}

/** The handler that responds and does nothing, and the one that makes the call of getPet and nothing else, in init too. */
export function bareBuilds(getPet: Build, directory: string): Build[] {
  return ['empty', 'one-call'].map((name) => {
    const codeDirectory = join(directory, name);
    bundle(`test/bench/builds/${name}.ts`, codeDirectory);
    return { ...getPet, name, kind: 'bare', codeDirectory };
  });
}
