// Functions that fail, each in its own way.

import { pbkdf2Sync } from 'node:crypto';

export function floatingRejection() {
  Promise.reject(new RangeError('It was rejected.'));
  return new Promise(() => undefined);
}

export function throwInTimer() {
  setTimeout(() => {
    throw new TypeError('It was thrown.');
  }, 1);
  return new Promise(() => undefined);
}

export function exitWith3() {
  process.exit(3);
}

export function loopForever() {
  for (;;);
}

export function useAllMemory() {
  const arrays = [];
  for (;;) arrays.push(new Array(1000).fill(Math.random()));
}

/** Needs more memory at once than a thread can exceed its limit by. */
export const useMemoryAtOnce = () => Array.from({ length: 40 }, () => new Array(10_000_000).fill(0.5)).length;

/** Ends as the system ends a process if the machine runs out of memory. */
export function killProcess() {
  process.kill(process.pid, 'SIGKILL');
  return new Promise(() => undefined);
}

/** Takes about a second in one native call. */
export const computeHash = () => pbkdf2Sync('password', 'salt', 2_000_000, 64, 'sha512');

export const neverRespond = () => new Promise(() => undefined);

/** Fails only for the first event. */
export function exitOrRespond({ isFirst }) {
  if (isFirst) process.exit(0);
  return { statusCode: 200 };
}

/** Ends as V8 does for another reason than memory. */
export function breakV8() {
  const { writeSync } = process.getBuiltinModule('node:fs');
  writeSync(2, 'its own words\n\nFATAL ERROR: It broke.\n----- Native stack trace -----\n\n 1: 0x931db0\n');
  return killProcess();
}

/** Fails only for an event that names one of these failures. */
export const endOrRespond = ({ name }) =>
  ({ useMemoryAtOnce, killProcess, loopForever })[name]?.() ?? { statusCode: 200 };

/** Fails in a way that the runtime does not see. */
export function throwUnheard() {
  process.removeAllListeners();
  setTimeout(() => {
    throw new RangeError('Nobody heard it.');
  }, 1);
  return new Promise(() => undefined);
}

/** Ends in a way that the runtime does not see. */
export function exitUnheard() {
  process.removeAllListeners('exit');
  process.exit(4);
}

/** Responds with what JSON can't represent. */
export const respondWithBigInt = () => ({ statusCode: 200, headers: { 'X-Count': [1, 2n] } });

export function throwObject() {
  throw { reason: 'secret', status: 4 };
}

export function rejectWithObject() {
  Promise.reject({ reason: 'secret' });
  return new Promise(() => undefined);
}

export function throwTextUnheard() {
  process.removeAllListeners();
  setTimeout(() => {
    throw 'It was thrown.';
  }, 1);
  return new Promise(() => undefined);
}
