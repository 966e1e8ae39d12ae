import { createCommand, fail, print } from '../cli/create-command.ts';
import { integerBetween } from '../cli/number-options.ts';
import { stopOnSignals } from '../local/stop.ts';
import { compareServices } from './compare-services.ts';
import { checkOut } from './services/checkout.ts';
import { startService } from './services/service.ts';

interface Options {
  readonly requests: number;
  readonly seed: number;
  readonly examples: number;
}

const maxInt = 2 ** 31 - 1;

stopOnSignals(() => process.exit(2));

createCommand(
  'npm run behavior --',
  'Sends the service of a commit and that of the working tree the same requests, and lists where they answer ' +
    'differently. Exits with 1 if they do, and with 2 if they cannot be compared.',
)
  .argument('<commit>', 'what to compare with, such as main or HEAD~1')
  .option('--requests <number>', 'how many requests to generate', integerBetween(1, 1_000_000), 3000)
  .option('--seed <number>', 'another seed generates other requests', integerBetween(0, maxInt), 20_261_120)
  .option(
    '--examples <number>',
    'the most requests to print of each difference',
    integerBetween(1, maxInt),
    3,
  )
  .action(async (commit: string, options: Options) => {
    try {
      process.exitCode = (await compare(commit, options)) ? 1 : 0;
    } catch (error) {
      fail(error);
      process.exitCode = 2;
    }
  })
  .parse();

/** Returns whether there are differences, after printing them. */
async function compare(commit: string, { requests, seed, examples }: Options): Promise<boolean> {
  const base = await checkOut(commit);
  const head = { name: 'the working tree', directory: '.' };
  const starts = [startService(base.name, base.directory), startService(head.name, head.directory)] as const;
  await using running = new AsyncDisposableStack();
  // If one of them does not start, the other is still stopped.
  for (const start of await Promise.allSettled(starts)) {
    if (start.status === 'fulfilled') running.use(start.value);
  }
  const report = await compareServices(await Promise.all(starts), { seed, requests });
  await print(report.text([base.name, head.name], examples));
  return report.differentCount > 0;
}
