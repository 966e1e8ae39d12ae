import { annotation, apiCompare, breaking, nonBreaking } from 'api-smart-diff';
import * as v from 'valibot';

type Diff = ReturnType<typeof apiCompare>['diffs'][number];

/** Returns the changes between two interface descriptions that break clients of the earlier one now. */
export function breakingChanges(before: unknown, after: unknown, now: Date): string[] {
  return apiCompare(openListsByValue(before), openListsByValue(after))
    .diffs.filter((diff) => {
      // Other components are reported where they are used: additions break clients only in requests.
      const isBroken =
        diff.type === breaking && diff.path[0] !== 'components' && !isRemovedAsAnnounced(diff, now);
      return (
        isBroken || changesAuthentication(diff) || takesBackWhatClientsName(diff) || shortensNotice(diff, now)
      );
    })
    .map(({ action, path }) => `${action} ${path.join(' ')}`);
}

/** Returns a description whose open lists of values are objects: the library compares lists by position. */
const openListsByValue = (description: unknown): unknown =>
  JSON.parse(JSON.stringify(description), (key, value) =>
    key === 'x-extensible-enum' && Array.isArray(value)
      ? Object.fromEntries(value.map((item) => [item, true]))
      : value,
  );

/** Whether an operation was removed after its sunset, which clients were told. */
function isRemovedAsAnnounced({ action, path, before }: Diff, now: Date): boolean {
  if (action !== 'remove' || path[0] !== 'paths' || path.length !== 3) return false;
  const sunset = v.safeParse(v.object({ 'x-sunset': v.string() }), before);
  return sunset.success && Date.parse(sunset.output['x-sunset']) <= now.getTime();
}

/** Whether clients get less than the year from a deprecation to the removal that the client guide promises. */
function shortensNotice({ action, path, before, after }: Diff, now: Date): boolean {
  if (path[0] !== 'paths' || path[3] !== 'x-sunset' || action === 'remove') return false;
  const sunset = Date.parse(`${after}`);
  if (action === 'replace' && sunset < Date.parse(`${before}`)) return true;
  const inAYear = new Date(now);
  inAYear.setUTCFullYear(inAYear.getUTCFullYear() + 1);
  // A later date for an operation that is deprecated already gives more notice.
  return action === 'add' && sunset < inAYear.getTime();
}

/** Whether clients name what has gone: a value of an open list, an address, an operation or a header. */
function takesBackWhatClientsName({ action, path, after }: Diff): boolean {
  if (action === 'add') return false;
  const [section, , key, member] = path;
  if (section === 'servers') return path.length < 3 || key === 'url';
  if (section !== 'paths') return false;
  const isNoLongerRequired = path[5] === 'headers' && path[7] === 'required' && after !== true;
  return member === 'operationId' || isNoLongerRequired || path.includes('x-extensible-enum');
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
