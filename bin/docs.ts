import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { docsFiles } from '../infra/reference/page-files.ts';

const { out } = new Command('npm run docs --')
  .description('Builds the API reference as static files, to be published anywhere. There is no key in them.')
  .option('--out <directory>', 'where to', 'docs.out')
  .showSuggestionAfterError(false)
  .allowExcessArguments(false)
  .parse()
  .opts<{ out: string }>();

try {
  mkdirSync(out, { recursive: true });
  for (const [name, { read }] of docsFiles()) writeFileSync(join(out, name), await read());
  console.log(`Wrote ${join(out, 'index.html')} and what it needs.`);
} catch (error) {
  console.error(`error: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
}
