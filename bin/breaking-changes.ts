import { readFileSync } from 'node:fs';
import { breakingChanges } from '../infra/reference/breaking-changes.ts';
import { createCommand, fail } from './cli/create-command.ts';

const command = createCommand(
  'npm run breaking-changes --',
  'Fails if openapi.json has a change that breaks clients of an earlier version.',
).argument('<before>', 'the earlier openapi.json');

command.action((before: string) => {
  const read = (file: string | URL): unknown => JSON.parse(readFileSync(file, 'utf8'));
  try {
    const changes = breakingChanges(read(before), read(new URL('../openapi.json', import.meta.url)));
    for (const change of changes) console.log(change);
    if (changes.length > 0) process.exitCode = 1;
  } catch (error) {
    fail(error);
  }
});

command.parse();
