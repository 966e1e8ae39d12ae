import { InvalidArgumentError, Option } from 'commander';
import { localStage } from '../../infra/stack-names.ts';
import { type TableId, tables } from '../../shared/service.ts';
import { createCommand, fail, print } from '../cli/create-command.ts';
import { explainError } from '../cli/explain-error.ts';
import { integerBetween } from '../cli/number-options.ts';
import type { Verb } from './read-stage.ts';
import { reportText } from './report.ts';

const program = createCommand(
  'npm run stage --',
  'Reads a deployed stage, and prints what it found. It changes nothing.',
);

/** Adds a verb, whose module is loaded on demand, because the SDK's clients and the CDK take a second. */
function verb(name: string, description: string) {
  return program.command(`${name} <stage>`).description(description).option('--json', 'print JSON', false);
}

async function run<Options>(verb: Verb<Options>, stage: string, options: Options & { json: boolean }) {
  try {
    if (stage === localStage) throw new Error('It reads deployed stages only: pass the name of one.');
    const { readStage } = await import('./read-stage.ts');
    const report = await readStage(verb, stage, options);
    await print(`${options.json ? JSON.stringify(report, null, 2) : reportText(report)}\n`);
  } catch (error) {
    fail(explainError(error));
  }
}

verb('status', 'Show what is now, and one timeline of what happened, without a verdict (role: on-call).')
  .option('--minutes <number>', 'how far back the timeline goes', integerBetween(5, 24 * 60), 60)
  .action(async (stage: string, options: { json: boolean; minutes: number }) =>
    run((await import('./status/status.ts')).status, stage, options),
  );

verb('rollback', 'List the last releases, or say how one of them gets all requests (role: on-call).')
  .option('--to <commit>', 'the commit of the release that shall get all requests')
  .action(async (stage: string, options: { json: boolean; to?: string }) =>
    run((await import('./rollback/rollback.ts')).rollback, stage, options),
  );

verb(
  'restore',
  'Say which tables are lost or lack a setting, which copies there are, and the next step (role: restore).',
)
  .addOption(new Option('--table <id>', 'only this table').choices(tables.map(({ id }) => id)))
  .option('--to <time>', 'the time whose items to put back, such as 2026-11-22T03:00Z', instant)
  .action(async (stage: string, options: { json: boolean; table?: TableId; to?: Date }) =>
    run((await import('./restore/restore.ts')).restore, stage, options),
  );

verb('check', 'Say which steps of the set-up are done, and the next one (role: administrator).').action(
  async (stage: string, options: { json: boolean }) =>
    run((await import('./check/check.ts')).check, stage, options),
);

await program.parseAsync();

function instant(text: string): Date {
  const time = new Date(text);
  if (/^\d{4}-\d\d-\d\dT.*Z$/.test(text) && !Number.isNaN(time.getTime())) return time;
  throw new InvalidArgumentError('It must be a time in UTC, such as 2026-11-22T03:00Z.');
}
