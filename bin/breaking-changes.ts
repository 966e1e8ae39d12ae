import { readFileSync } from 'node:fs';
import { apiCompare, breaking } from 'api-smart-diff';
import { createCommand, fail } from './cli/create-command.ts';

const command = createCommand(
  'npm run breaking-changes --',
  'Lists the changes in openapi.json that break clients of an earlier version, and fails if there are any.',
).argument('<before>', 'the earlier openapi.json');

command.action((before: string) => {
  const read = (file: string | URL): unknown => JSON.parse(readFileSync(file, 'utf8'));
  try {
    const { diffs } = apiCompare(read(before), read(new URL('../openapi.json', import.meta.url)));
    for (const { type, action, path } of diffs) {
      // Components are reported where they are used: additions break clients only in requests.
      if (type !== breaking || path[0] === 'components') continue;
      console.log(`${action} ${path.join(' ')}`);
      process.exitCode = 1;
    }
  } catch (error) {
    fail(error);
  }
});

command.parse();
