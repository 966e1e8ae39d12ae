import { setTimeout as pause } from 'node:timers/promises';
import { Presets, SingleBar } from 'cli-progress';
import { Argument, Option } from 'commander';
import { localStage } from '../../../infra/stack-names.ts';
import { tables as definitions } from '../../../shared/service.ts';
import { openAnswers } from '../../cli/ask.ts';
import { createCommand, fail, print } from '../../cli/create-command.ts';
import { explainError } from '../../cli/explain-error.ts';
import { integerBetween } from '../../cli/number-options.ts';
import { printableLine } from '../../cli/printable.ts';
import type { OnPage } from './dialog.ts';
import { readIds, readVersions, writeIds } from './id-file.ts';
import { isOfKeys } from './item.ts';
import { openTables } from './open-tables.ts';
import { putItemsBack } from './put-items-back.ts';

interface Options {
  readonly from: string;
  readonly fromRegion?: string;
  readonly except?: string;
  readonly only?: string;
  readonly overwrite?: string;
  readonly rate: number;
}

const command = createCommand(
  'npm run put-back --',
  "Puts what a stage's table lacks back from a copy (role: restore). Overwrites only what you list, and deletes nothing but the copy, if you agree.\nRepeating the same command does no harm.",
)
  .argument('<stage>', 'local, or a deployed stage')
  .addArgument(new Argument('<table>', 'the table to write').choices(definitions.map(({ id }) => id)))
  .requiredOption(
    '--from <name>',
    'the copy: PetStore-<stage>-restored-<table>-…, or the table of an earlier stack',
  )
  .option('--from-region <name>', "the copy's region, if it is another")
  .option('--except <file>', 'ids to leave as they are, one per line')
  .option('--only <file>', 'look only at these ids, one per line')
  .addOption(
    new Option(
      '--overwrite <file>',
      'overwrite what this file lists, which an earlier run has written',
    ).conflicts('only'),
  )
  .option('--rate <number>', 'the most items to read or write per second', integerBetween(1, 100_000), 500)
  .addHelpText('after', '\nExit codes: 0 done, 1 failed, 2 some items rejected, 130 interrupted.')
  .parse();

const interruption = new AbortController();
const { signal } = interruption;
// A second signal ends the process.
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(name, () => interruption.abort());
const answers = openAnswers(signal);

try {
  process.exitCode = await run(command.args, command.opts<Options>());
} catch (error) {
  fail(signal.aborted ? 'Interrupted: run the same command again.' : explainError(error));
  if (signal.aborted) process.exitCode = 130;
}
answers.close();

async function run([stage = '', table = '']: readonly string[], { rate, ...options }: Options) {
  const definition = definitions.find(({ id }) => id === table);
  if (!definition) throw new Error(`There is no table ${table}.`);
  if (isOfKeys(definition) && (options.overwrite ?? options.only) !== undefined) {
    throw new Error('Keys are only added, never overwritten: choose with --except which are not.');
  }
  // Loaded on demand, because the settings load the CDK.
  if (stage !== localStage) (await import('../../../infra/settings/stages.ts')).settingsOf(stage);
  const overwrite = options.overwrite === undefined ? undefined : readVersions(definition, options.overwrite);
  const only = options.only === undefined ? undefined : readIds(definition, options.only);
  const tables = await openTables({ stage, definition, ...options });
  const exceptions = options.except ?? (overwrite || isOfKeys(definition) ? '' : await askForExceptions());
  const except = exceptions === '' ? new Map() : readIds(definition, exceptions);

  return putItemsBack(
    tables,
    { except, only, overwrite, rate },
    {
      say: (text) => print(`${printableLine(text)}\n`),
      save: (kind, ids) => writeIds(`${table}-${kind}`, ids),
      ask: answers.ask,
      watch: (total, work) => watch(rate, total, work),
    },
  );
}

function askForExceptions(): Promise<string> {
  return answers.ask(
    'Which file has the ids of items that were deleted without a trace (docs/delete-pets.md)? They would come back. Enter, if there are none:',
  );
}

/** Shows progress, and slows work down to a rate, in items per second. */
async function watch<T>(rate: number, total: number | undefined, work: (onPage: OnPage) => Promise<T>) {
  const format = total === undefined ? '{value} items' : '{value}/{total} items, {eta_formatted} left';
  const progress = new SingleBar({ format, noTTYOutput: true }, Presets.shades_classic);
  const started = performance.now();
  let done = 0;
  progress.start(total ?? 0, 0);
  try {
    return await work(async (items) => {
      done += items;
      progress.increment(items);
      const due = started + (done / rate) * 1000;
      await pause(Math.max(0, due - performance.now()), undefined, { signal });
    });
  } finally {
    progress.stop();
  }
}
