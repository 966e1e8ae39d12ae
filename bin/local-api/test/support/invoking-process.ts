import { watchProcesses } from '../../../cli/test/support/watch-processes.ts';
import { lambdaFunction } from '../../lambda/lambda-function.ts';
import { stubFunction } from './stub-deployment.ts';
import { stubProject } from './stub-project.ts';

// The main module of a process that invokes functions, and sends the ids of their processes: one waits, one is in an
// endless loop, and one is stopped, for which Windows has no signal.

const processes = watchProcesses();
const functions = ['waits', 'loops', 'is stopped'].map(() =>
  lambdaFunction(
    { ...stubFunction('stub'), handler: 'failures.endOrRespond', timeoutMs: 600_000 },
    { project: stubProject },
  ),
);
for (const each of functions) await each.invoke({});
const ids = processes.ids();
void functions[1]?.invoke({ name: 'loopForever' });
if (process.platform !== 'win32') process.kill(ids[2] ?? 0, 'SIGSTOP');
setTimeout(() => process.send?.(ids), 100);
