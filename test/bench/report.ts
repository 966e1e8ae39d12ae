import { getBorderCharacters, table as textTable } from 'table';
import type { ComparedColdStart } from './cold-starts.ts';
import type { OperationCost } from './costs.ts';
import { cpusOf } from './cpu-limit.ts';
import type { PageCost } from './growth.ts';

/** The cold starts with the CPU that Lambda gives for so much memory, in MB, or with all that there is. */
export interface Section {
  readonly title: string;
  readonly memorySize: number | undefined;
  readonly coldStarts?: readonly ComparedColdStart[];
  /** Why there are none. */
  readonly skipped?: string;
}

/** What the starts at a memory size are called. */
export function titleOf(memorySize: number | undefined): string {
  if (memorySize === undefined) return 'Without a CPU limit';
  return `As at ${memorySize} MB: ${cpusOf(memorySize)} CPU after init`;
}

export function sectionText({ title, coldStarts, skipped }: Section): string {
  return `${title}\n${coldStarts ? coldStartTable(coldStarts) : `skipped: ${skipped}`}`;
}

function coldStartTable(coldStarts: readonly ComparedColdStart[]): string {
  return table(
    [
      'handler',
      'build',
      'init\nms',
      'first\nms',
      'sum\nms',
      'sum\n× floor',
      'sum\n× bare',
      'sum\n× conv.',
      'first\n× conv.',
      'p50\nms',
      'p50\n× bare',
      'p99\nms',
      'at start\nkB',
      'peak\nMB',
    ],
    coldStarts.map(({ name, build, toFloor, toOneCall, toConventional, ...figures }) => [
      name,
      build,
      figures.init.toFixed(1),
      figures.firstInvocation.toFixed(1),
      figures.coldStart.toFixed(1),
      toFloor.coldStart.toFixed(2),
      toOneCall.coldStart.toFixed(2),
      toConventional?.coldStart.toFixed(2) ?? '',
      toConventional?.firstInvocation.toFixed(2) ?? '',
      figures.warmP50.toFixed(2),
      toOneCall.warmP50.toFixed(2),
      figures.warmP99.toFixed(2),
      (figures.loadedAtStart.bytes / 1000).toFixed(0),
      figures.peakMemory === undefined ? '?' : (figures.peakMemory / 2 ** 20).toFixed(0),
    ]),
  );
}

export function costTable(costs: readonly OperationCost[]): string {
  return table(
    [
      'operation',
      'memory\nMB',
      'cold start\nms',
      'warm p50\nms',
      'warm p99\nms',
      'billed\nms',
      'read\nunits',
      'write\nunits',
      'Lambda\n$/million',
      'DynamoDB\n$/million',
      'API Gateway\n$/million',
      'sum\n$/million',
    ],
    costs.map(({ name, memorySize, lambdaUsd, dynamodbUsd, apiUsd, ...figures }) => [
      name,
      `${memorySize}`,
      figures.coldStart.toFixed(0),
      figures.warmP50.toFixed(2),
      figures.warmP99.toFixed(2),
      figures.billedMs.toFixed(1),
      `${figures.readUnits}`,
      `${figures.writeUnits}`,
      lambdaUsd.toFixed(2),
      dynamodbUsd.toFixed(2),
      apiUsd.toFixed(2),
      (lambdaUsd + dynamodbUsd + apiUsd).toFixed(2),
    ]),
  );
}

export function growthTable(costs: readonly PageCost[]): string {
  return table(
    ['filter', 'page', 'limit', 'pets', 'read\nunits', 'items\nread'],
    costs
      .toSorted((a, b) => nameOf(a).localeCompare(nameOf(b)))
      .map(({ filter = 'none', page, limit, pets, readUnits, itemsRead }) => [
        filter,
        page,
        `${limit}`,
        pets.toLocaleString('en'),
        `${readUnits}`,
        `${itemsRead}`,
      ]),
  );
}

const nameOf = ({ filter, limit, page }: PageCost) => `${filter} ${limit} ${page}`;

/** A table whose first two columns are names, and the others figures. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const columns = head.map((_name, column) => ({ alignment: column < 2 ? 'left' : 'right' }) as const);
  return textTable([head, ...rows], {
    columns,
    border: getBorderCharacters('norc'),
    drawHorizontalLine: (index, count) => index < 2 || index === count,
  }).trimEnd();
}
