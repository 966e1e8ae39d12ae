import { readFileSync } from 'node:fs';
import { coldStartPicture, coldStartTable, warmTable } from './bench-figures.ts';
import { throttlesPicture, throttlesTable } from './model-figures.ts';
import { abuseTable, billTable, costTable, pricePicture, savingsTable } from './price-tables.ts';
import { stageTable } from './stage-prices.ts';
import { summaryTable } from './summary.ts';

/** The code of the documents, which a test runs. */
function cacheCode(): string {
  const [, code = ''] = readFileSync('test/scale/first-pages.ts', 'utf8').split(/^import .*\n\n/m);
  return `\`\`\`ts\n${code.replaceAll('export ', '')}\`\`\``;
}

/** Returns the text of a document with these parts, each between two comments. */
function documentWith(file: string, parts: Readonly<Record<string, string>>): string {
  return Object.entries(parts).reduce(
    (text, [name, part]) => {
      const [start, end] = [`<!-- ${name}: npm run figures -->\n`, `\n<!-- end of ${name} -->`];
      const [before, rest] = text.split(start);
      const [, after] = rest?.split(end) ?? [];
      if (after === undefined) throw new Error(`${file} has no place for ${name}.`);
      return `${before}${start}\n${part}\n${end}${after}`;
    },
    readFileSync(file, 'utf8'),
  );
}

/** Each file with calculated figures, as it should be. */
export function figures(): ReadonlyMap<string, string> {
  const speed = {
    summary: summaryTable(),
    'cold-starts': coldStartTable(),
    warm: warmTable(),
    costs: costTable(),
    bill: billTable(),
    stages: stageTable(),
  };
  const scaling = {
    throttles: throttlesTable(),
    cache: cacheCode(),
    abuse: abuseTable(),
    savings: savingsTable(),
  };
  return new Map([
    ['docs/speed.md', documentWith('docs/speed.md', speed)],
    ['docs/scaling.md', documentWith('docs/scaling.md', scaling)],
    ['docs/pictures/cold-start.svg', coldStartPicture()],
    ['docs/pictures/prices.svg', pricePicture()],
    ['docs/pictures/throttles.svg', throttlesPicture()],
  ]);
}
