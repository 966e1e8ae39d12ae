import Table from 'cli-table3';
import type { ComparedColdStart } from './cold-starts.ts';

/** The cold starts with the CPU that Lambda gives for so much memory, in MB, or with all that there is. */
export interface Section {
  readonly memorySize: number | undefined;
  readonly cpus: number | undefined;
  readonly coldStarts: readonly ComparedColdStart[];
  /** Why there are none. */
  readonly skipped?: string;
}

const coldStartHead = [
  ['handler', ''],
  ['build', ''],
  ['init', 'ms'],
  ['first', 'ms'],
  ['sum', 'ms'],
  ['sum', '× floor'],
  ['sum', '× conv.'],
  ['first', '× conv.'],
  ['p50', 'ms'],
  ['p99', 'ms'],
  ['at start', 'kB'],
  ['at start', '× conv.'],
  ['peak', 'MB'],
].map((lines) => lines.join('\n'));

/** What a section is about. */
export function titleOf({ memorySize, cpus }: Pick<Section, 'memorySize' | 'cpus'>): string {
  return memorySize === undefined
    ? 'Without a CPU limit'
    : `As with ${memorySize} MB: ${cpus} CPU after init`;
}

/** A section as text for a terminal. */
export function textOf(section: Section): string {
  const { coldStarts, skipped } = section;
  const body =
    skipped === undefined ? coldStartTable(coldStarts) : `skipped, no limit can be set: ${skipped}`;
  return `${titleOf(section)}\n${body}`;
}

function coldStartTable(coldStarts: readonly ComparedColdStart[]): string {
  const rows = coldStarts.map(({ name, build, toFloor, toConventional, ...figures }) => [
    name,
    build,
    figures.init.toFixed(1),
    figures.firstInvocation.toFixed(1),
    figures.coldStart.toFixed(1),
    toFloor.coldStart.toFixed(2),
    toConventional?.coldStart.toFixed(2) ?? '',
    toConventional?.firstInvocation.toFixed(2) ?? '',
    figures.warmP50.toFixed(2),
    figures.warmP99.toFixed(2),
    (figures.loadedAtStart.bytes / 1000).toFixed(0),
    toConventional?.loadedBytes.toFixed(2) ?? '',
    figures.peakMemory === undefined ? '?' : (figures.peakMemory / 2 ** 20).toFixed(0),
  ]);
  return table(coldStartHead, rows);
}

/** A table whose first two columns are names, and the others figures. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const colAligns = head.map((_name, column) => (column < 2 ? 'left' : 'right'));
  const result = new Table({ head: [...head], colAligns, style: { head: [], border: [], compact: true } });
  result.push(...rows.map((row) => [...row]));
  return result.toString();
}
