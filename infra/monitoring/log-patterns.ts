import type { Operation } from '../../shared/contract/operation.ts';
import { type LogField, requestRejectedMessage } from '../../shared/lambda/log.ts';
import { operations } from '../../shared/service.ts';
import { damagedItemMessage } from '../../shared/tables/stored-item.ts';
import type { AccessField } from '../service/access-log-format.ts';
import type { Objectives } from '../settings/objectives.ts';

// Selectors, as filter patterns have them: queries name fields in another way.
const ofRequest = (field: AccessField) => `$.${field}`;
const ofLine = (field: LogField) => `$.message.${field}`;

const $client = ofRequest('client');
const $latency = ofRequest('latency');
const $method = ofRequest('method');
const $path = ofRequest('path');
const $responseType = ofRequest('responseType');
const $status = ofRequest('status');
const $waf = ofRequest('waf');

/** Requests that reached an operation or failed: a flood without valid keys does not hide errors. */
const served = `((${$status} >= 500) || ((${$client} != "-") && (${$status} != 405) && (${$status} != 429)))`;
// The authorizer denied a key, or its form is wrong. What the web ACL blocks has another type.
const denied = `((${$responseType} = "ACCESS_DENIED") || (${$responseType} = "UNAUTHORIZED"))`;
const failed = `(${$status} >= 500)`;
const slow = ({ slowAfterMilliseconds }: Objectives) =>
  `${served} && (${$latency} > ${slowAfterMilliseconds})`;

/** Returns the condition that a request was to an operation. */
export const calls = ({ method, path }: Operation) =>
  `((${$method} = "${method}") && (${$path} = "${path}"))`;
const callsAny = Object.values(operations).map(calls).join(' || ');
// The web ACL already handles what it blocks. HEAD and unsupported methods have limits of their own, which
// anybody can exceed without disturbing a client.
const throttled = `((${$status} = 429) && (${$waf} != "WAF_BLOCK") && (${callsAny}))`;

const outcomes = (objectives: Objectives) => ({ Served: served, Errors: failed, Slow: slow(objectives) });

/** Filter patterns on the access log, where `status` and `latency` are numbers. */
export const accessLogPatterns = (objectives: Objectives) => ({
  ...outcomes(objectives),
  Denied: denied,
  ServedOrDenied: `${served} || ${denied}`,
  Throttled: throttled,
  ServedOrThrottled: `${served} || ${throttled}`,
});

/** Filter patterns on the access log, counted for each operation. */
export const operationPatterns = (objectives: Objectives) => ({
  ...outcomes(objectives),
  Rejected: `${served} && ((${$status} = 400) || (${$status} = 404))`,
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
