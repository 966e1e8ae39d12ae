import type { ChildProcess } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { keepSpares, takeProcess } from '../../../../infra/local/lambda/spare-processes.ts';

/** The processes that were started. */
let started: ChildProcess[];

beforeEach(() => {
  started = [];
  const onStart = (message: unknown) => started.push((message as { process: ChildProcess }).process);
  subscribe('child_process', onStart);
  onTestFinished(() => {
    unsubscribe('child_process', onStart);
    for (const child of started) child.kill('SIGKILL');
  });
});

it('functions take the processes that are kept for them, and start others', () => {
  keepSpares(1);

  const taken = [takeProcess(), takeProcess()];

  expect(taken).toEqual(started);
});

it('as many processes are kept as functions are expected', () => {
  keepSpares(1);
  keepSpares(1);

  expect(started).toHaveLength(1);
});

it('a process ends that no function has taken', async () => {
  keepSpares(1);
  const [spare] = started;
  const ended = Promise.all(started.map((child) => once(child, 'exit')));

  keepSpares(0);

  await ended;
  expect(takeProcess()).not.toBe(spare);
});
