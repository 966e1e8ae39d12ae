import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { docsFiles } from '../infra/reference/page-files.ts';
import { createCommand, fail } from './cli/create-command.ts';
import { messageText } from './cli/message-text.ts';
import { OutputFile } from './cli/output-file.ts';

/** Tells a directory that this command has made from any other. */
const marker = '.pet-store-docs';

const { out, force } = createCommand(
  'npm run docs --',
  'Builds the API reference as static files, to be published anywhere. There is no key in them.',
)
  .option('--out <directory>', 'where to', 'docs.out')
  .option(
    '--force',
    'write into a directory that has other files, and replace those of the same names',
    false,
  )
  .parse()
  .opts<{ out: string; force: boolean }>();

try {
  mkdirSync(out, { recursive: true });
  const names = readdirSync(out);
  if (names.length > 0 && !names.includes(marker) && !force) {
    throw new Error(`${out} has other files: give an empty directory, or --force to write into it.`);
  }
  const contents = new Map([[marker, '']]);
  for (const [name, { read }] of docsFiles()) contents.set(name, await read());
  const files = [...contents].map(([name, content]) => {
    const file = new OutputFile(join(out, name), { force: true });
    file.write(content);
    return file;
  });
  for (const file of files) file.complete();
  console.log(messageText(`Wrote ${join(out, 'index.html')} and what it needs.`));
} catch (error) {
  fail(error instanceof Error ? error.message : String(error));
}
