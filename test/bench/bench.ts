import { SingleBar } from 'cli-progress';
import { Command } from 'commander';
import { integerBetween } from '../../bin/integer-between.ts';
import { stages } from '../../infra/stages.ts';
import { measureColdStarts } from './cold-starts.ts';
import { CpuLimit, cpusOf } from './cpu-limit.ts';
import { type Section, textOf, titleOf } from './report.ts';
import { bareHandlers, otherBuilds, type Subject } from './subjects.ts';
import { setUpWorkbench } from './workbench.ts';

interface ColdStartFlags {
  readonly starts: number;
  readonly warm: number;
  readonly memory?: readonly number[];
  readonly json: boolean;
}

const program = new Command('npm run bench --').description(
  'Measures the functions as Lambda runs them: the bundles that are deployed, each start in a new process.',
);
program
  .command('cold-starts', { isDefault: true })
  .description('init, first and warm invocations of every function, beside other builds of it')
  .option('--starts <number>', 'how many starts of each the medians are of', integerBetween(1, 1000), 20)
  .option('--warm <number>', 'how many invocations follow the first', integerBetween(1, 100_000), 500)
  .option(
    '--memory <MB...>',
    'limit the CPU after init to what Lambda gives for so much memory',
    toMemorySizes,
  )
  .option('--json', 'print JSON', false)
  .action(benchColdStarts);
await program.parseAsync();

function toMemorySizes(text: string, sizes: readonly number[] = []): number[] {
  return [...sizes, integerBetween(128, 1769)(text)];
}

async function benchColdStarts({ starts, warm, memory, json }: ColdStartFlags): Promise<void> {
  using workbench = await setUpWorkbench();
  const { functions, directory } = workbench;
  const subjects = [
    ...bareHandlers(functions, directory),
    ...functions.flatMap((deployed) => [deployed, ...otherBuilds(deployed, directory)]),
  ];

  const sections: Section[] = [];
  for (const memorySize of [undefined, ...(memory ?? [stages.production.memorySize])]) {
    sections.push(await measureSection(subjects, starts, warm, memorySize));
  }
  console.log(json ? JSON.stringify(sections, null, 2) : sections.map(textOf).join('\n\n'));
}

async function measureSection(
  subjects: readonly Subject[],
  starts: number,
  warmInvocations: number,
  memorySize: number | undefined,
): Promise<Section> {
  const cpus = memorySize === undefined ? undefined : cpusOf(memorySize);
  const limit = cpus === undefined ? undefined : tryToLimit(cpus);
  if (limit instanceof Error) return { memorySize, cpus, skipped: limit.message, coldStarts: [] };

  using _ = limit;
  const bar = new SingleBar({ format: '{title} {bar} {value}/{total}', clearOnComplete: true });
  bar.start(subjects.length * starts, 0, { title: titleOf({ memorySize, cpus }) });
  const onStart = () => bar.increment();
  const coldStarts = await measureColdStarts(subjects, { starts, warmInvocations, limit, onStart });
  bar.stop();
  return { memorySize, cpus, coldStarts };
}

function tryToLimit(cpus: number): CpuLimit | Error {
  try {
    return new CpuLimit(cpus);
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}
