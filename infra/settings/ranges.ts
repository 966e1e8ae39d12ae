import { timeLimits } from '../../shared/lambda/time-limits.ts';
import { type OperationSettings, operationSettings, otherMethodsThrottling } from './operation-settings.ts';
import type { StageSettings } from './stages.ts';

interface Setting {
  /** Where it is, such as `memorySize of staging in infra/settings/stages.ts`. */
  readonly name: string;
  readonly value: number | undefined;
  readonly min: number;
  readonly max: number;
  /** Whether a fraction is accepted. */
  readonly isFractional?: boolean;
  readonly unit?: string;
}

/** https://docs.aws.amazon.com/lambda/latest/dg/configuration-memory.html */
const memory = { min: 128, max: 10_240, unit: ' MB' };

/**
 * Lambda allows 1 to 900 s (https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html), but API
 * Gateway waits only 29 s, unless AWS raises that quota of the account:
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-execution-service-limits-table.html
 */
const functionTime = { min: 1000, max: 29_000, unit: ' ms' };

/** A limit of 0 would let no request through. AWS names no maximum; this one is far beyond any quota. */
const positive = { min: 1, max: 1_000_000 };

/**
 * The minimum is that of AWS WAF:
 * https://docs.aws.amazon.com/waf/latest/developerguide/waf-rule-statement-type-rate-based-high-level-settings.html
 */
const rateBasedRule = { min: 10, max: positive.max };

/** An amount, as in https://docs.aws.amazon.com/aws-cost-management/latest/APIReference/API_budgets_Spend.html */
const dollars = { min: 0.01, max: positive.max, isFractional: true, unit: ' US dollars' };

/**
 * The alarm's only period, which is a multiple of 60 s and, under an hour, at most a day long. CloudWatch allows
 * seven days from an hour on, but an alarm about yesterday wakes nobody in time.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_PutMetricAlarm.html
 */
const period = { min: 1, max: 24 * 60, unit: ' minutes' };

/**
 * Checks the numbers of the settings, which the CDK does not: the deploy would fail.
 *
 * @throws {Error} naming each setting that is out of range, with its file
 */
export function checkRanges(
  stage: string,
  settings: StageSettings,
  operations: Readonly<Record<string, Pick<OperationSettings, 'throttling'>>> = operationSettings,
): void {
  const ofStage = `of ${stage} in infra/settings/stages.ts`;
  const { memorySize, accountConcurrency, fairUse, alarms, expectsTrafficWithin } = settings;
  const minutes = expectsTrafficWithin?.toMinutes({ integral: false });
  const limits = Object.entries({ ...operations, otherMethods: { throttling: otherMethodsThrottling } });
  const checked: Setting[] = [
    { name: `memorySize ${ofStage}`, value: memorySize, ...memory },
    { name: `accountConcurrency ${ofStage}`, value: accountConcurrency, ...positive },
    { name: `fairUse.perKey ${ofStage}`, value: fairUse?.perKey, ...rateBasedRule },
    { name: `fairUse.perAddress ${ofStage}`, value: fairUse?.perAddress, ...rateBasedRule },
    {
      name: `alarms.monthlyBudget ${ofStage}`,
      value: alarms?.monthlyBudget,
      ...dollars,
    },
    { name: `expectsTrafficWithin ${ofStage}`, value: minutes, ...period },
    {
      name: 'timeLimits.function in shared/lambda/time-limits.ts',
      value: timeLimits.function,
      ...functionTime,
    },
    ...limits.flatMap(([operation, { throttling }]) => {
      const ofOperation = `of ${operation} in infra/settings/operation-settings.ts`;
      const { rateLimit, burstLimit } = throttling;
      return [
        { name: `rateLimit ${ofOperation}`, value: rateLimit, ...positive, isFractional: true },
        { name: `burstLimit ${ofOperation}`, value: burstLimit, ...positive },
      ];
    }),
  ];
  const mistakes = checked.filter((setting) => !isInRange(setting)).map(describe);
  if (mistakes.length > 0) throw new Error(mistakes.join(' '));
}

const isInRange = ({ value, min, max, isFractional = false }: Setting): boolean =>
  value === undefined || (value >= min && value <= max && (isFractional || Number.isInteger(value)));

function describe({ name, value, min, max, isFractional = false, unit = '' }: Setting): string {
  const range = `${min.toLocaleString('en')} to ${max.toLocaleString('en')}${unit}`;
  return `${name} is ${value}, but must be a ${isFractional ? '' : 'whole '}number from ${range}.`;
}
