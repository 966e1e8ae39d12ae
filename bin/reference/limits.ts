import type { FairUse } from '../../infra/settings/fair-use.ts';
import { operationSettings } from '../../infra/settings/limits-and-permissions.ts';
import { operations } from '../../shared/service.ts';

/** Returns the limits of a stage, in Markdown: those of a client, if there are any, and those of all together. */
export function limitsOf(fairUse: FairUse | undefined): string {
  const perClient = fairUse
    ? `An API key can send ${fairUse.perKey.toLocaleString('en')} requests per minute, an IP address ${fairUse.perAddress.toLocaleString('en')}. `
    : '';
  // CommonMark, in which the page shows its guide at first, has no tables.
  const rows = Object.values(operations).map(
    ({ operationId, method, path }) =>
      `- \`${method} ${path}\`: ${operationSettings[operationId].throttling.rateLimit} requests per second`,
  );
  return `${perClient}All clients together:\n\n${rows.join('\n')}`;
}
