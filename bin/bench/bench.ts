import { loadavg } from 'node:os';
import { Argument } from 'commander';
import { createCommand, fail } from '../cli/create-command.ts';

const [load = Number.NaN] = loadavg();

createCommand(
  'npm run bench --',
  'Measures how the functions start and respond as they are deployed, how soon npm run dev serves a save, or the memory of the local API.',
)
  .addArgument(
    new Argument('[bench]', 'what to measure')
      .choices(['functions', 'reload', 'memory'])
      .default('functions'),
  )
  .option('--cgroup <folder>', 'limit the CPU of the functions after init to that of a control group')
  .action(async (bench: string, { cgroup }: { cgroup?: string }) => {
    try {
      if (bench === 'reload') await (await import('./reload.ts')).benchReloads();
      else if (bench === 'memory') await (await import('./memory.ts')).benchMemory();
      else await (await import('./functions.ts')).benchFunctions(cgroup);
      console.log(`The load of the machine was ${load.toFixed(1)} at first.`);
    } catch (error) {
      fail(error);
    }
  })
  .parse();
