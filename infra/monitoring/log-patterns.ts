import { type LogField, requestRejectedMessage } from '../../shared/lambda/log.ts';
import { damagedItemMessage } from '../../shared/tables/stored-item.ts';
import type { AccessField } from '../service/access-log-format.ts';
import type { Objectives } from '../settings/objectives.ts';
import { denied, failed, rejected, served, throttled } from './request-conditions.ts';

// Selectors, as filter patterns have them: queries name fields in another way.
const $latency = `$.${'latency' satisfies AccessField}`;
const ofLine = (field: LogField) => `$.message.${field}`;

const outcomes = ({ slowAfterMilliseconds }: Objectives) => ({
  Served: served.pattern,
  Errors: failed.pattern,
  Slow: `${served.pattern} && (${$latency} > ${slowAfterMilliseconds})`,
});

/** Filter patterns on the access log, where `status` and `latency` are numbers. */
export const accessLogPatterns = (objectives: Objectives) => ({
  ...outcomes(objectives),
  Denied: denied.pattern,
  ServedOrDenied: `${served.pattern} || ${denied.pattern}`,
  Throttled: throttled.pattern,
  ServedOrThrottled: `${served.pattern} || ${throttled.pattern}`,
});

/** Filter patterns on the access log, counted for each operation. */
export const operationPatterns = (objectives: Objectives) => ({
  ...outcomes(objectives),
  Rejected: `${served.pattern} && ${rejected.pattern}`,
});

/** Where a function's log has the version. */
export const functionVersion = ofLine('functionVersion');

/** Filter patterns on a function's log, counted for each version of the function. */
export const versionPatterns = {
  // Lambda itself counts functions that throw or time out. A warning is not a fault.
  Faults: `($.level = "ERROR") && (${functionVersion} = *)`,
  // Without 404 and 410, unlike `Rejected`: a client that polls what does not exist would block every release, as
  // would an operation past its sunset.
  Rejections: `(${ofLine('message')} = "${requestRejectedMessage}") && (${ofLine('code')} != "not_found") && (${ofLine('code')} != "gone")`,
};

/** A filter pattern on a function's log. */
export const damagedItem = `${ofLine('message')} = "${damagedItemMessage}"`;
