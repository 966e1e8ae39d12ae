import { readFileSync } from 'node:fs';
import { annotation, apiCompare, breaking, nonBreaking } from 'api-smart-diff';
import * as v from 'valibot';
import { createCommand, fail } from './cli/create-command.ts';

type Diff = ReturnType<typeof apiCompare>['diffs'][number];

const command = createCommand(
  'npm run breaking-changes --',
  'Lists the changes in openapi.json that break clients of an earlier version, and fails if there are any.',
).argument('<before>', 'the earlier openapi.json');

command.action((before: string) => {
  const read = (file: string | URL): unknown => JSON.parse(readFileSync(file, 'utf8'));
  try {
    const { diffs } = apiCompare(read(before), read(new URL('../openapi.json', import.meta.url)));
    for (const diff of diffs) {
      // Other components are reported where they are used: additions break clients only in requests.
      const isUsed = diff.type === breaking && diff.path[0] !== 'components' && !isRemovedAsAnnounced(diff);
      if (!isUsed && !changesAuthentication(diff) && !shortensNotice(diff)) continue;
      console.log(`${diff.action} ${diff.path.join(' ')}`);
      process.exitCode = 1;
    }
  } catch (error) {
    fail(error);
  }
});

/** Whether an operation was removed after its sunset, which clients were told. */
function isRemovedAsAnnounced({ action, path, before }: Diff): boolean {
  if (action !== 'remove' || path[0] !== 'paths' || path.length !== 3) return false;
  const sunset = v.safeParse(v.object({ 'x-sunset': v.string() }), before);
  return sunset.success && Date.parse(sunset.output['x-sunset']) <= Date.now();
}

/** Whether clients get less than the year from a deprecation to the removal that the client guide promises. */
function shortensNotice({ action, path, before, after }: Diff): boolean {
  if (path[0] !== 'paths' || path[3] !== 'x-sunset' || action === 'remove') return false;
  const sunset = Date.parse(`${after}`);
  if (action === 'replace' && sunset < Date.parse(`${before}`)) return true;
  const inAYear = new Date();
  inAYear.setUTCFullYear(inAYear.getUTCFullYear() + 1);
  // A later date for an operation that is deprecated already gives more notice.
  return action === 'add' && sunset < inAYear.getTime();
}

/** Whether clients may have to authenticate in another way: the library reports only some of these changes. */
function changesAuthentication({ type, action, path }: Diff): boolean {
  const [section, name, , key] = path;
  // A new scheme matters only where it is required.
  const isNew = action === 'add' && path.length === 3;
  if (section === 'components') return name === 'securitySchemes' && type !== annotation && !isNew;
  if (section === 'security') return path.length === 1 ? action === 'add' : type !== nonBreaking;
  return section === 'paths' && key === 'security';
}

command.parse();
