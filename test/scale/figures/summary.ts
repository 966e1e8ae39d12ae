import { measuredSummary } from './bench-figures.ts';
import { markdownTable } from './markdown-table.ts';
import { priceRange } from './price-tables.ts';
import { stagePrice } from './stage-prices.ts';

/** The beginning of docs/speed.md: its answers. */
export function summaryTable(): string {
  const { coldStart, warmRequest } = measuredSummary();
  return markdownTable(
    ['', 'in short'],
    [
      ['[a cold start](#cold-starts)', coldStart],
      ['[a warm request](#warm-requests)', warmRequest],
      ['[a million requests](#what-a-million-requests-cost)', priceRange()],
      [
        '[a stage](#what-a-stage-costs)',
        `${stagePrice('staging')} a month for staging and ${stagePrice('production')} for production, without requests`,
      ],
    ],
  ).replace('--:', '---');
}
