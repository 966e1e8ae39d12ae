import { SingleBar } from 'cli-progress';
import { Command } from 'commander';
import { table } from 'table';
import { integerBetween } from '../../bin/cli/integer-between.ts';
import { bareBuilds } from './builds/builds.ts';
import { conventional } from './builds/conventional.ts';
import { type ColdStart, measureColdStarts, warmUp } from './cold-starts.ts';
import { measureGrowth } from './growth.ts';
import { cpusOf, limitCpu } from './lambda/cpu-limit.ts';
import type { Build } from './lambda/function-process.ts';
import { functionNamed, setUpWorkbench } from './workbench.ts';

interface Flags {
  readonly starts: number;
  readonly warm: number;
  readonly memory?: readonly number[];
  readonly handler?: string;
}

type Row = Readonly<Record<string, string | number>>;

const memorySize = integerBetween(128, 1769);
const program = new Command('npm run bench --');
program
  .command('cold-starts', { isDefault: true })
  .description(
    'Measures init, first and warm invocations of the functions as Lambda runs them, each start in a new process: ' +
      'of the bundles that are deployed, and of conventional ones.',
  )
  .option('--starts <number>', 'how many starts the medians are from', integerBetween(1, 1000), 20)
  .option('--warm <number>', 'how many invocations follow the first', integerBetween(1, 100_000), 500)
  .option(
    '--memory <MB...>',
    'limit the CPU after init to what Lambda gives for so much memory',
    (text: string, sizes: readonly number[] = []) => [...sizes, memorySize(text)],
  )
  .option('--handler <name>', 'measure this function only, such as get-pet')
  .action(benchColdStarts);
program
  .command('growth')
  .description('measures what a page of the list consumes in small and large tables')
  .action(benchGrowth);
await program.parseAsync();

async function benchColdStarts({ memory = [], handler, ...flags }: Flags): Promise<void> {
  using workbench = await setUpWorkbench();
  const { functions, directory } = workbench;
  const chosen = handler === undefined ? functions : [functionNamed(handler, workbench)];
  const builds = [
    ...bareBuilds(functionNamed('get-pet', workbench), directory),
    ...chosen.flatMap((deployed) => [deployed, conventional(deployed, directory)]),
  ];

  await warmUp(builds);
  for (const memorySize of [undefined, ...memory]) {
    print(titleOf(memorySize), compare(await measure(builds, memorySize, flags)));
  }
}

/** The cold starts in figures, some of them as multiples of the bare call's and of the conventional build's. */
function compare(coldStarts: readonly ColdStart[]): Row[] {
  const bare = coldStarts.find(({ name }) => name === 'one-call');
  return coldStarts.map(({ name, kind, ...figures }) => {
    const other = coldStarts.find((start) => start.name === name && start.kind === 'conventional');
    const { init, firstInvocation, coldStart, warmP50, warmP99 } = figures;
    return {
      handler: name,
      build: kind,
      'init\nms': init.toFixed(1),
      'first\nms': firstInvocation.toFixed(1),
      'sum\nms': coldStart.toFixed(1),
      'sum\n× bare': times(coldStart, bare?.coldStart),
      'sum\n× conv.': times(coldStart, other?.coldStart),
      'first\n× conv.': times(firstInvocation, other?.firstInvocation),
      'p50\nms': warmP50.toFixed(2),
      'p99\nms': warmP99.toFixed(2),
    };
  });
}

function times(figure: number, other: number | undefined): string {
  return other === undefined ? '' : (figure / other).toFixed(2);
}

async function benchGrowth(): Promise<void> {
  using workbench = await setUpWorkbench();
  const costs = await measureGrowth(workbench, [100, 10_000, 100_000]);
  print('Pages of the list', costs);
}

/** Measures the starts with the CPU of a memory size, or with all that there is. */
async function measure(
  builds: readonly Build[],
  memorySize: number | undefined,
  { starts, warm }: Flags,
): Promise<ColdStart[]> {
  using limit = memorySize === undefined ? undefined : limitCpu(memorySize);
  const bar = new SingleBar({ format: '{bar} {value}/{total}', clearOnComplete: true });
  bar.start(builds.length * starts, 0);
  const coldStarts = await measureColdStarts(builds, starts, warm, limit, () => bar.increment());
  bar.stop();
  return coldStarts;
}

function titleOf(memorySize: number | undefined): string {
  if (memorySize === undefined) return 'Without a CPU limit';
  return `As at ${memorySize} MB: ${cpusOf(memorySize)} CPU after init`;
}

function print(title: string, rows: readonly Row[]): void {
  const drawHorizontalLine = (index: number, count: number) => index < 2 || index === count;
  console.log(title);
  console.log(table([Object.keys(rows[0] ?? {}), ...rows.map(Object.values)], { drawHorizontalLine }));
}
