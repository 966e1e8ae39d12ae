import { monthlyPrices } from '../prices.ts';
import { shippedCharges } from '../shipped-charges.ts';
import { markdownTable } from './markdown-table.ts';
import { dollars, whole } from './price-tables.ts';

// What a stage costs per month without requests.

const { staging, production } = shippedCharges;
type Stage = keyof typeof shippedCharges;

/** What costs something, and what its count is. */
const parts = [
  ['metrics of log filters', 'logMetrics'],
  ['metrics of alarms', 'alarmMetrics'],
  ['dashboard', 'dashboards'],
  ['web ACL', 'webAcls'],
  ['rules of the web ACL', 'rules'],
] as const;
type Part = (typeof parts)[number][1];

const priceOf = (stage: Stage, part: Part) => shippedCharges[stage][part] * monthlyPrices[part];

/** The price in whole dollars. */
export const stagePrice = (stage: Stage): string =>
  whole(parts.reduce((sum, [, part]) => sum + priceOf(stage, part), 0));

export function stageTable(): string {
  const rows = parts.map(([name, part]) => {
    const counts = [...new Set([staging[part], production[part]])].join(' and ');
    const label = `${counts} ${name}, ${dollars(monthlyPrices[part])} each`;
    return [label, whole(priceOf('staging', part)), whole(priceOf('production', part))];
  });
  const sum = ['**sum**', `**${stagePrice('staging')}**`, `**${stagePrice('production')}**`];
  return markdownTable(['', 'staging', 'production'], [...rows, sum]);
}
