import { SingleBar } from 'cli-progress';
import { Command } from 'commander';
import { integerBetween } from '../../bin/cli/integer-between.ts';
import { stages } from '../../infra/settings/stages.ts';
import { type ColdStart, compare, measureColdStarts } from './cold-starts.ts';
import { costOf, type OperationCost } from './costs.ts';
import { CpuLimit, cpusOf } from './cpu-limit.ts';
import { isConstant, measureGrowth } from './growth.ts';
import { measureConsumption } from './metered-function.ts';
import { costTable, growthTable, type Section, sectionText, titleOf } from './report.ts';
import { bareHandlers, conventional, functionNamed, type Subject } from './subjects.ts';
import { setUpWorkbench } from './workbench.ts';

interface Flags {
  readonly json: boolean;
}
interface StartFlags extends Flags {
  readonly starts: number;
  readonly warm: number;
  readonly memory?: readonly number[];
}
interface ColdStartFlags extends StartFlags {
  readonly handler?: readonly string[];
}
interface GrowthFlags extends Flags {
  readonly pets?: readonly number[];
}

/** Little memory, in MB, with 0.14 of a CPU: there a cold start shows. */
const smallMemory = 256;

const program = new Command('npm run bench --').description(
  'Measures the functions as Lambda runs them: the bundles that are deployed, each start in a new process.',
);

withStarts('cold-starts', { isDefault: true })
  .description('init, first and warm invocations of every function, beside the conventional build of it')
  .option('--handler <name...>', 'of these functions only, such as get-pet')
  .action(benchColdStarts);
withStarts('cost').description('what a million of each operation cost, by memory size').action(benchCost);
withJson('growth')
  .description('what a page of the list takes of small and large tables; fails when it grows')
  .option('--pets <number...>', 'the sizes of the table', listOf(integerBetween(100, 10_000_000)))
  .action(benchGrowth);
await program.parseAsync();

function withJson(name: string, options = {}): Command {
  return program.command(name, options).option('--json', 'print JSON', false);
}

function withStarts(name: string, options = {}): Command {
  return withJson(name, options)
    .option('--starts <number>', 'how many starts of each the medians are of', integerBetween(1, 1000), 20)
    .option('--warm <number>', 'how many invocations follow the first', integerBetween(1, 100_000), 500)
    .option(
      '--memory <MB...>',
      'limit the CPU after init to what Lambda gives for so much memory',
      listOf(integerBetween(128, 1769)),
    );
}

function listOf(parse: (text: string) => number) {
  return (text: string, values: readonly number[] = []) => [...values, parse(text)];
}

async function benchColdStarts({ memory = [smallMemory], handler, ...flags }: ColdStartFlags): Promise<void> {
  using workbench = await setUpWorkbench();
  const { functions, directory } = workbench;
  const chosen = handler?.map((name) => functionNamed(name, functions)) ?? functions;
  const subjects = [
    ...bareHandlers(functions, directory),
    ...chosen.flatMap((deployed) => [deployed, conventional(deployed, directory)]),
  ];

  const sections: Section[] = [];
  for (const memorySize of [undefined, ...memory]) {
    const coldStarts = await measure(subjects, memorySize, flags);
    const title = titleOf(memorySize);
    sections.push(
      coldStarts instanceof Error
        ? { title, memorySize, skipped: coldStarts.message }
        : { title, memorySize, coldStarts: compare(coldStarts) },
    );
  }
  print(flags, sections, sections.map(sectionText).join('\n\n'));
}

async function benchCost({ memory = [stages.production.memorySize], ...flags }: StartFlags): Promise<void> {
  using workbench = await setUpWorkbench();
  const { functions, plainEndpoint, petIndexCount } = workbench;
  const consumptions = await measureConsumption(functions, plainEndpoint);

  const costs: OperationCost[] = [];
  for (const memorySize of memory) {
    const coldStarts = await measure(functions, memorySize, flags);
    if (coldStarts instanceof Error) return program.error(`error: ${coldStarts.message}`);
    for (const coldStart of coldStarts) {
      const consumption = consumptions.get(coldStart.name);
      if (!consumption) throw new Error(`What ${coldStart.name} takes has not been measured.`);
      costs.push(costOf(coldStart, consumption, petIndexCount, memorySize));
    }
  }
  print(flags, costs, costTable(costs));
}

async function benchGrowth({ pets = [100, 10_000, 100_000], json }: GrowthFlags): Promise<void> {
  using workbench = await setUpWorkbench();
  const sizes = pets.toSorted((a, b) => a - b);
  const costs = await measureGrowth(workbench, sizes, (size) => console.error(`${size} pets …`));
  print({ json }, costs, growthTable(costs));
  if (!isConstant(costs)) program.error('error: A page takes more of a larger table.');
}

/** Measures the starts with the CPU of a memory size, or with all that there is; an error says why that can't be. */
async function measure(
  subjects: readonly Subject[],
  memorySize: number | undefined,
  { starts, warm }: Pick<StartFlags, 'starts' | 'warm'>,
): Promise<ColdStart[] | Error> {
  const limit = memorySize === undefined ? undefined : tryToLimit(cpusOf(memorySize));
  if (limit instanceof Error) return limit;

  using _ = limit;
  const bar = new SingleBar({ format: '{title} {bar} {value}/{total}', clearOnComplete: true });
  bar.start(subjects.length * starts, 0, { title: titleOf(memorySize) });
  const onStart = () => bar.increment();
  const coldStarts = await measureColdStarts(subjects, { starts, warmInvocations: warm, limit, onStart });
  bar.stop();
  return coldStarts;
}

/** Limits a CPU, or gives the error of a system that does not allow it. */
function tryToLimit(cpus: number): CpuLimit | Error {
  try {
    return new CpuLimit(cpus);
  } catch (error) {
    if (!(error instanceof Error && /ENOENT|EACCES|EPERM|EROFS|EBUSY/.test(error.message))) throw error;
    return new Error(`No CPU limit can be set here: ${error.message}.`, { cause: error });
  }
}

function print({ json }: Flags, result: unknown, text: string): void {
  console.log(json ? JSON.stringify(result, null, 2) : text);
}
