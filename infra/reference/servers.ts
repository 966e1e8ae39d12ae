import { apiVersion } from '../../shared/contract/operations.ts';
import { outputNames, stackName, stageNames } from '../settings/stage-names.ts';
import type { JsonObject } from './schemas.ts';

const url = `https://{apiId}.execute-api.{region}.amazonaws.com/${apiVersion}`;
const examples = { apiId: 'abcdefghij', region: 'eu-west-1' };

/** An address such as a deployed stage has. */
export const exampleBaseUrl = url.replace('{apiId}', examples.apiId).replace('{region}', examples.region);

/** The base address of each stage, production first; an operator's outputs say what the variables are. */
export const servers: readonly JsonObject[] = stageNames.toReversed().map((stage) => ({
  url,
  description: `The ${stage} stage.`,
  variables: {
    apiId: {
      default: examples.apiId,
      description: `The first label of the ${outputNames.baseUrl} output of the stack ${stackName(stage)}.`,
    },
    region: { default: examples.region, description: 'Where the stack is deployed.' },
  },
}));
