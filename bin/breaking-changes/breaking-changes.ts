import { readFileSync } from 'node:fs';
import { createCommand, fail } from '../cli/create-command.ts';
import { breakingChanges } from './compare-descriptions.ts';

const [before = ''] = createCommand(
  'npm run breaking-changes --',
  'Lists the changes in openapi.json that break clients of an earlier version, and fails if there are any.',
)
  .argument('<before>', 'the earlier openapi.json')
  .parse().args;

try {
  const readJson = (file: string | URL): unknown => JSON.parse(readFileSync(file, 'utf8'));
  const changes = breakingChanges(
    readJson(before),
    readJson(new URL('../../openapi.json', import.meta.url)),
    new Date(),
  );
  for (const change of changes) console.log(change);
  if (changes.length > 0) process.exitCode = 1;
} catch (error) {
  fail(error);
}
