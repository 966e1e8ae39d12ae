// Functions that fail, each in its own way.

import { pbkdf2Sync } from 'node:crypto';
import { writeSync } from 'node:fs';

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

export async function loopLater() {
  await new Promise((resolve) => setTimeout(resolve, 1));
  for (;;);
}

export function useAllMemory() {
  const arrays = [];
  for (;;) arrays.push(new Array(1000).fill(Math.random()));
}

/** Ends as the system ends a process if the machine runs out of memory. */
export function killProcess() {
  process.kill(process.pid, 'SIGKILL');
  return new Promise(() => undefined);
}

/** Takes about a minute in one native call. */
export const computeHash = () => pbkdf2Sync('password', 'salt', 60_000_000, 64, 'sha512');

export const neverRespond = () => new Promise(() => undefined);

/** Ends as V8 does for another reason than memory. */
export function breakV8() {
  writeSync(2, 'its own words\n\nFATAL ERROR: It broke.\n----- Native stack trace -----\n\n 1: 0x931db0\n');
  return killProcess();
}

/** Fails only for an event that names one of these failures, and prints that name. */
export function endOrRespond({ name }) {
  const failure = { exit: process.exit, loopForever, computeHash }[name];
  if (failure) writeSync(2, `${name}\n`);
  return failure?.() ?? { statusCode: 200 };
}

export function throwObject() {
  // biome-ignore lint/style/useThrowOnlyError: a function may throw anything
  throw { reason: 'secret' };
}

export function logAndThrow() {
  const error = new Error('It failed\nonce.');
  console.error({ message: 'A log of its own.', error: { stack: error.stack } });
  throw error;
}
