import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Option } from 'commander';
import { type StageName, stages } from '../../infra/settings/stages.ts';
import { apiVersion } from '../../shared/service.ts';
import { createCommand, fail, messageText } from '../cli/create-command.ts';
import { referenceFiles } from './reference-files.ts';

const options = createCommand(
  'npm run docs --',
  "Builds a stage's API reference as static files, without a key, to publish anywhere.",
)
  .addOption(
    new Option('--stage <stage>', 'the stage')
      .choices(Object.keys(stages))
      .default('production' satisfies StageName),
  )
  .option('--base-url <url>', "the stage's base URL, if it has no domain")
  .option('--output <directory>', 'a new or empty directory, or one of an earlier run', 'docs.out')
  .parse()
  .opts<{ stage: StageName; baseUrl?: string; output: string }>();

try {
  const { stage, output } = options;
  const settings = stages[stage];
  const { domain } = settings;
  const baseUrl = options.baseUrl ?? (domain && `https://${domain.name}/${apiVersion}`);
  if (baseUrl === undefined) {
    throw new Error(`${stage} has no domain in infra/settings/stages.ts: add it there, or pass --base-url.`);
  }

  const address = { ...settings, baseUrl };
  mkdirSync(output, { recursive: true });
  if (readdirSync(output).some((name) => !(name in referenceFiles))) {
    throw new Error(`${output} has other files: pass an empty directory, or one that does not exist.`);
  }
  for (const [name, textFor] of Object.entries(referenceFiles)) {
    // A symbolic link is replaced, and what it points to is left untouched.
    rmSync(join(output, name), { force: true });
    writeFileSync(join(output, name), textFor(address));
  }
  if (!settings.contact) {
    console.error(
      `warning: partners do not see whom to ask: set contact of ${stage} in infra/settings/stages.ts.`,
    );
  }
  console.log(messageText(`Wrote ${join(output, 'index.html')} and openapi.json.`));
} catch (error) {
  fail(error);
}
