import { join } from 'node:path';
import { Command } from 'commander';
import { integerBetween } from '../../bin/cli/number-options.ts';
import { bundle } from '../../infra/service/bundle.ts';
import { type ColdStart, measureColdStarts, measureStart } from './cold-starts.ts';
import { conventional } from './conventional.ts';
import { cpusOf, limitCpu } from './cpu-limit.ts';
import { setUpWorkbench } from './workbench.ts';

interface Flags {
  readonly starts: number;
  readonly warm: number;
  readonly memory?: number;
}

await new Command('npm run bench --')
  .description('measures init, first and warm invocations of deployed and conventional builds')
  .option('--starts <number>', 'how many times to start each build', integerBetween(1, 1000), 20)
  .option('--warm <number>', 'how many invocations follow the first', integerBetween(1, 100_000), 500)
  .option('--memory <MB>', 'also limit CPU after init as Lambda does', integerBetween(128, 1769))
  .action(benchColdStarts)
  .parseAsync();

async function benchColdStarts({ memory, ...counts }: Flags): Promise<void> {
  using workbench = await setUpWorkbench();
  const { functions, directory } = workbench;
  const codeDirectory = join(directory, 'empty');
  bundle('test/bench/empty.ts', codeDirectory);
  const builds = [
    { ...functions[0], name: 'empty', kind: 'bare' as const, codeDirectory },
    ...functions.flatMap((build) => [build, conventional(build, directory)]),
  ];

  // For DynamoDB to warm up.
  for (const build of builds) await measureStart(build);
  print('Without a CPU limit', await measureColdStarts(builds, counts));
  if (memory === undefined) return;
  using limit = limitCpu(memory);
  const title = `As at ${memory} MB: ${cpusOf(memory)} CPU after init`;
  print(title, await measureColdStarts(builds, counts, limit));
}

/** Prints times in milliseconds, and each sum as a multiple of the conventional build's. */
function print(title: string, coldStarts: readonly ColdStart[]): void {
  console.log(title);
  const rows = coldStarts.map(({ name, kind, init, first, sum, warm }) => {
    const conventional = coldStarts.find((other) => other.name === name && other.kind === 'conventional');
    return {
      ...{ name, kind, init: init.toFixed(1), first: first.toFixed(1), sum: sum.toFixed(1) },
      ...{ '× conventional': (sum / (conventional?.sum ?? sum)).toFixed(2), warm: warm.toFixed(2) },
    };
  });
  console.table(rows);
}
