import * as v from 'valibot';
import { operations } from '../../shared/service.ts';
import { localStage, stackName, stageOf, tablePrefixes } from '../stack-names.ts';
import { authorizerConcurrencyOf, checkConcurrency, concurrencyOf, limitsOf } from './concurrency.ts';
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
 * Checks what can be known of the settings before a deploy.
 *
 * @throws {Error} naming each setting that is wrong, with its file
 */
export function checkSettings(stages: Stages, operationSettings: AllOperationSettings): void {
  const ofOperations = record(
    Object.fromEntries(Object.keys(operations).map((id) => [id, OperationSettings])),
  );
  throwIfAny([
    ...Object.keys(stages).flatMap(mistakesInName),
    ...mistakesIn(ofOperations, operationSettings, `operationSettings in ${operationsFile}`),
    ...mistakesIn(Throttling, otherMethodsThrottling, `otherMethodsThrottling in ${operationsFile}`),
    ...Object.entries(stages).flatMap(([stage, settings]) =>
      mistakesIn(StageSettings, settings, `${stage} in ${stagesFile}`),
    ),
  ]);
  // What follows relies on values of the right shape.
  throwIfAny(Object.entries(stages).flatMap(unusableTables));
  const limits = Object.values(operations).flatMap((operation) =>
    limitsOf(operation, operationSettings[operation.operationId].throttling),
  );
  for (const [stage, settings] of Object.entries(stages)) {
    checkConcurrency(stage, settings, [authorizerConcurrencyOf(limits), concurrencyOf(limits)]);
  }
}

function throwIfAny(mistakes: readonly string[]): void {
  if (mistakes.length > 0) throw new Error(mistakes.join(' '));
}

function mistakesInName(stage: string): string[] {
  if (stageOf(stackName(stage)) === stage && stage !== localStage) return [];
  return [
    `A stage cannot be named ${JSON.stringify(stage)}: choose at most 20 lowercase letters, and not "${localStage}".`,
  ];
}

function mistakesIn(schema: v.GenericSchema, settings: unknown, owner: string): string[] {
  const { issues = [] } = v.safeParse(schema, settings, { abortPipeEarly: true });
  return issues.map((issue) => `${v.getDotPath(issue)} of ${owner} ${issue.message}.`);
}

/** A deploy would fail late or not at all: CloudFormation does not look for a table that is referred to. */
const unusableTables = ([stage, { restoredTables = {} }]: [string, StageSettings]) =>
  Object.entries(restoredTables).flatMap(([id, name]) => {
    const prefixes = tablePrefixes(stage, id);
    if (prefixes.some((prefix) => name.startsWith(prefix))) return [];
    return [
      `restoredTables.${id} of ${stage} in ${stagesFile} must begin with ${prefixes.join(' or ')}: no role may use another table.`,
    ];
  });
