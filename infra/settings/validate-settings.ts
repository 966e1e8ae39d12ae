import * as v from 'valibot';
import { operations } from '../../shared/service.ts';
import { localStage, longestStackName, stackName, stageOf } from '../stack-names.ts';
import { authorizerConcurrencyOf, concurrencyOf, limitsOf, validateConcurrency } from './concurrency.ts';
import {
  type AllOperationSettings,
  OperationSettings,
  otherMethodsThrottling,
  Throttling,
} from './limits-and-permissions.ts';
import { record } from './setting-schemas.ts';
import { StageSettings } from './stages.ts';

type Stages = Readonly<Record<string, StageSettings>>;

const stagesFile = 'infra/settings/stages.ts';
const operationsFile = 'infra/settings/limits-and-permissions.ts';

/**
 * Validates what can be known of the settings before a deploy.
 *
 * @throws {Error} naming each setting that is wrong, with its file
 */
export function validateSettings(stages: Stages, operationSettings: AllOperationSettings): void {
  const operationsSchema = record(
    Object.fromEntries(Object.keys(operations).map((id) => [id, OperationSettings])),
  );
  const mistakes = [
    ...Object.keys(stages).flatMap(mistakesInName),
    ...mistakesIn(operationsSchema, operationSettings, `operationSettings in ${operationsFile}`),
    ...mistakesIn(Throttling, otherMethodsThrottling, `otherMethodsThrottling in ${operationsFile}`),
    ...Object.entries(stages).flatMap(([stage, settings]) =>
      mistakesIn(StageSettings, settings, `${stage} in ${stagesFile}`),
    ),
  ];
  if (mistakes.length > 0) throw new Error(mistakes.join(' '));
  // What follows relies on values of the right shape.
  for (const [stage, settings] of Object.entries(stages)) validateCertificate(stage, settings);
  const limits = Object.values(operations).flatMap((operation) =>
    limitsOf(operation, operationSettings[operation.operationId].throttling),
  );
  for (const [stage, settings] of Object.entries(stages)) {
    validateConcurrency(stage, settings, [authorizerConcurrencyOf(limits), concurrencyOf(limits)]);
  }
}

/** API Gateway takes only a certificate of its own account and region for the domain of a regional API. */
function validateCertificate(stage: string, { domain, target }: StageSettings): void {
  const [, , , region, account] = domain?.certificateArn.split(':') ?? [];
  if (!domain || !target || (region === target.region && account === target.account)) return;
  throw new Error(
    `domain.certificateArn of ${stage} in ${stagesFile} is in ${account}, ${region}, but must be in the target: ` +
      `${target.account}, ${target.region}.`,
  );
}

function mistakesInName(stage: string): string[] {
  const fits = stackName(stage).length <= longestStackName;
  if (fits && stageOf(stackName(stage)) === stage && stage !== localStage) return [];
  const longest = longestStackName - stackName('').length;
  return [
    `A stage cannot be named ${JSON.stringify(stage)}: choose at most ${longest} lowercase letters, and not "${localStage}".`,
  ];
}

function mistakesIn(schema: v.GenericSchema, settings: unknown, owner: string): string[] {
  const { issues = [] } = v.safeParse(schema, settings, { abortPipeEarly: true });
  return issues.map((issue) => `${v.getDotPath(issue)} of ${owner} ${issue.message}.`);
}
