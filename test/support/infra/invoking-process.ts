import type { ChildProcess } from 'node:child_process';
import { subscribe } from 'node:diagnostics_channel';
import { lambdaFunction } from '../../../infra/local/lambda/lambda-function.ts';
import { stubFunction } from './stub-deployment.ts';
import { stubProject } from './stub-project.ts';

// The main module of a process that invokes a function, and sends the id of the function's process.

const [, , state] = process.argv;
const children: ChildProcess[] = [];
subscribe('child_process', (message) => children.push((message as { process: ChildProcess }).process));
const spec = { ...stubFunction('stub'), handler: 'failures.endOrRespond', timeoutMs: 600_000 };
const local = lambdaFunction(spec, { project: stubProject });

await local.invoke({});
const id = children.find(({ spawnfile }) => spawnfile === process.execPath)?.pid ?? 0;
if (state === 'is stopped') process.kill(id, 'SIGSTOP');
if (state === 'loops') void local.invoke({ name: 'loopForever' });
setTimeout(() => process.send?.(id), 300);
