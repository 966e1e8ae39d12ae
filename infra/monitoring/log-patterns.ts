import type { Operation } from '../../shared/contract/operation.ts';
import { operations } from '../../shared/contract/operations.ts';
import { requestRejectedMessage } from '../../shared/lambda/log.ts';
import { damagedItemMessage } from '../../shared/tables/stored-item.ts';
import { slowAfterMilliseconds } from '../settings/objectives.ts';

/** Requests that reached an operation or failed: a flood without valid keys does not hide errors. */
const served = '(($.status >= 500) || (($.client != "-") && ($.status != 405) && ($.status != 429)))';
// The authorizer denied a key of the right form.
const denied = '($.responseType = "ACCESS_DENIED")';
const failed = '($.status >= 500)';
const slow = `${served} && ($.latency > ${slowAfterMilliseconds})`;

/** Returns the condition that a request was to an operation. */
export const calls = ({ method, path }: Operation) => `(($.method = "${method}") && ($.path = "${path}"))`;
const callsAny = Object.values(operations).map(calls).join(' || ');
// The web ACL already handles what it blocks. HEAD and unsupported methods have limits of their own, which
// anybody can exceed without disturbing a client.
const throttled = `(($.status = 429) && ($.waf != "WAF_BLOCK") && (${callsAny}))`;

/** Filter patterns on the access log, where `status` and `latency` are numbers. */
export const accessLogPatterns = {
  Served: served,
  Errors: failed,
  Slow: slow,
  Denied: denied,
  ServedOrDenied: `${served} || ${denied}`,
  Throttled: throttled,
  ServedOrThrottled: `${served} || ${throttled}`,
};

/** Filter patterns on the access log, counted for each operation. */
export const operationPatterns = {
  Served: served,
  Errors: failed,
  Slow: slow,
  Rejected: `${served} && (($.status = 400) || ($.status = 404))`,
};

/** Where a function's log has the version. */
export const functionVersion = '$.message.functionVersion';

/** Filter patterns on a function's log, counted for each version of the function. */
export const versionPatterns = {
  // Lambda itself counts functions that throw or time out. A warning is not a fault.
  Faults: `($.level = "ERROR") && (${functionVersion} = *)`,
  // A client that polls what does not exist would block every release, as would an operation past its sunset.
  Rejections: `($.message.message = "${requestRejectedMessage}") && ($.message.code != "not_found") && ($.message.code != "gone")`,
};

/** A filter pattern on a function's log. */
export const damagedItem = `$.message.message = "${damagedItemMessage}"`;
