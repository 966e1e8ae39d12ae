import { join } from 'node:path';
import { Command, Option } from 'commander';
import { table } from 'table';
import { integerBetween } from '../../bin/cli/number-options.ts';
import { bundle } from '../../infra/service/bundle.ts';
import { type ColdStart, measureColdStarts, measureStart } from './cold-starts.ts';
import { conventional } from './conventional.ts';
import { cpusOf, limitCpu } from './cpu-limit.ts';
import { setUpWorkbench } from './workbench.ts';

const names = ['get-pet', 'list-pets', 'create-pet', 'authorizer'] as const;

interface Flags {
  readonly starts: number;
  readonly warm: number;
  readonly memory?: readonly number[];
  readonly handler?: (typeof names)[number];
}

/** Returns a parser for an option with several integers. */
const integers =
  (parse: (text: string) => number) =>
  (text: string, before: readonly number[] = []) => [...before, parse(text)];

await new Command('npm run bench --')
  .description('measures init, first and warm invocations of deployed and conventional builds')
  .option('--starts <number>', 'how many times to start each build', integerBetween(1, 1000), 20)
  .option('--warm <number>', 'how many invocations follow the first', integerBetween(1, 100_000), 500)
  .option('--memory <MB...>', 'limit CPU after init as Lambda does', integers(integerBetween(128, 1769)))
  .addOption(new Option('--handler <name>', 'measure only this function').choices(names))
  .action(benchColdStarts)
  .parseAsync();

async function benchColdStarts({ memory = [], handler, starts, warm }: Flags): Promise<void> {
  using workbench = await setUpWorkbench();
  const { functions, directory } = workbench;
  const codeDirectory = join(directory, 'empty');
  bundle('test/bench/empty.ts', codeDirectory);
  const empty = { ...functions['get-pet'], name: 'empty', kind: 'bare' as const, codeDirectory };
  const chosen = handler ? [functions[handler]] : Object.values(functions);
  const builds = [empty, ...chosen.flatMap((build) => [build, conventional(build, directory)])];

  // For DynamoDB to warm up.
  for (const build of builds) await measureStart(build);
  for (const memorySize of [undefined, ...memory]) {
    using limit = memorySize === undefined ? undefined : limitCpu(memorySize);
    const coldStarts = await measureColdStarts(builds, { starts, warm }, limit);
    const rows = coldStarts.map((start) => rowOf(start, coldStarts));
    if (memorySize === undefined) print('Without a CPU limit', rows);
    else print(`As at ${memorySize} MB: ${cpusOf(memorySize)} CPU after init`, rows);
  }
}

/** Returns a cold start's figures, and their sum as a multiple of the conventional build's. */
function rowOf({ name, kind, init, first, sum, warm }: ColdStart, others: readonly ColdStart[]) {
  const conventional = others.find((other) => other.name === name && other.kind === 'conventional');
  return {
    handler: name,
    build: kind,
    'init\nms': init.toFixed(1),
    'first\nms': first.toFixed(1),
    'sum\nms': sum.toFixed(1),
    'sum\n× conv.': conventional ? (sum / conventional.sum).toFixed(2) : '',
    'warm\nms': warm.toFixed(2),
  };
}

function print(title: string, rows: readonly object[]): void {
  const drawHorizontalLine = (index: number, count: number) => index < 2 || index === count;
  console.log(title);
  console.log(table([Object.keys(rows[0] ?? {}), ...rows.map(Object.values)], { drawHorizontalLine }));
}
