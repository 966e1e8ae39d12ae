import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { type Incident, incidents } from '../../support/monitoring/incidents.ts';
import { type Notification, runIncident } from '../../support/monitoring/stage-alarms.ts';

const [, section = ''] = readFileSync('docs/runbook.md', 'utf8').split(/^## Simulated incidents$/m);
const [table = ''] = section.split(/^## /m);

const named = incidents.map((incident) => [incident.name, incident] as const);
it.each(named)('the runbook shows which alarms fire when: %s', (_name, incident) => {
  expect(table).toContain(rowsOf(incident, runIncident(incident)));
});

function rowsOf({ name }: Incident, notifications: readonly Notification[]): string {
  if (notifications.length === 0) return `| ${name} | nobody |||||\n`;
  return notifications
    .map(({ severity, alarm, minutes }, index) => {
      const cells = [0, 1, 2, 3].map((run) => (run in minutes ? ` ${minutes[run] ?? '–'} |` : ' |'));
      return `|${index === 0 ? ` ${name}` : ''} | ${severity}: ${alarm} |${cells.join('')}\n`;
    })
    .join('');
}
