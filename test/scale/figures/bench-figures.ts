import { type ColdStart, type Measured, type Run, readMeasured } from '../measured.ts';
import { type Bar, barChart } from './bar-chart.ts';
import { markdownTable } from './markdown-table.ts';
import { percent } from './step-chart.ts';

// What the benches measured.

const { coldStarts, limitedColdStarts, warm, limitedWarm } = readMeasured();

/** Says when and where something was measured. */
const measuredAt = ({ date, machine, load }: Measured[keyof Measured]) =>
  `${new Date(date).toLocaleDateString('en-GB', { dateStyle: 'long' })}, on ${machine} at a load of ${load.toFixed(1)}`;

const caption = (run: Measured[keyof Measured], limited: Measured[keyof Measured]) =>
  `These are medians in milliseconds of ${measuredAt(run)}.
The columns *limited* are of ${measuredAt(limited)}.`;

/** Returns a row of cells for each function, and how to divide its result by that of the other build. */
function rowsOf<Result>(
  { functions }: Run<Result>,
  cellsOf: (results: { readonly ours: Result; readonly other: Result }, name: string) => readonly string[],
): readonly (readonly string[])[] {
  return Object.entries(functions).map(([name, results]) => [name, ...cellsOf(results, name)]);
}

const milliseconds = (value: number) => value.toFixed(value < 10 ? 2 : 0);
const factor = (ours: number, other: number) => (ours / other).toFixed(2);

export function coldStartTable(): string {
  const cells = ({ ours, other }: { readonly ours: ColdStart; readonly other: ColdStart }) => [
    milliseconds(ours.sum),
    milliseconds(other.sum),
    factor(ours.sum, other.sum),
  ];
  const rows = rowsOf(coldStarts, (results, name) => {
    const limited = limitedColdStarts.functions[name];
    return [...cells(results), ...(limited ? cells(limited) : [])];
  });
  const head = ['', 'ours', 'conventional', '×', 'ours, limited', 'conventional, limited', '× limited'];
  return `${markdownTable(head, rows)}

${caption(coldStarts, limitedColdStarts)}`;
}

export function warmTable(): string {
  const rows = rowsOf(warm, ({ ours, other }, name) => {
    const limited = limitedWarm.functions[name];
    return [
      milliseconds(ours.cpu),
      milliseconds(other.cpu),
      factor(ours.cpu, other.cpu),
      ...(limited ? [factor(limited.ours.cpu, limited.other.cpu), milliseconds(limited.ours.duration)] : []),
    ];
  });
  const head = ['', 'ours', 'plain', '×', '× limited', 'our duration, limited'];
  return `${markdownTable(head, rows)}

${caption(warm, limitedWarm)}
${goalMet()}`;
}

/** The most CPU time that a function may take, as a multiple of the plain handler's. */
export const goal = 1.3;

/** Says which functions take more CPU time than they may. */
function goalMet(): string {
  const missedIn = ({ functions }: Measured['warm'], suffix: string) =>
    Object.entries(functions)
      .filter(([, { ours, other }]) => ours.cpu / other.cpu > goal)
      .map(([name]) => `${name}${suffix}`);
  const missed = [...missedIn(warm, ''), ...missedIn(limitedWarm, ' with the limit')];
  return missed.length === 0
    ? 'All meet the goal.'
    : `The goal is missed by ${missed.join(', ')}, and met by all others.`;
}

/** Milliseconds of warm requests on the CPU of a function on Lambda, by the function. */
export const limitedDurations = Object.fromEntries(
  Object.entries(limitedWarm.functions).map(([name, { ours }]) => [name, ours.duration]),
);

/** The least and the most of some values. */
const fromTo = (values: readonly number[], format: (value: number) => string) => {
  const [least, most] = [Math.min(...values), Math.max(...values)].map(format);
  return least === most ? `${least}` : `${least} to ${most}`;
};

/** The rows of the summary for what was measured, with the shares of both runs. */
export function measuredSummary() {
  const ofStarts = [coldStarts, limitedColdStarts].flatMap(({ functions }) => Object.values(functions));
  const ofRequests = [warm, limitedWarm].flatMap(({ functions }) => Object.values(functions));
  const starts = Object.values(coldStarts.functions).map(({ ours }) => ours.sum);
  const requests = Object.values(warm.functions).map(({ ours }) => ours.cpu);
  const startShares = ofStarts.map(({ ours, other }) => ours.sum / other.sum);
  const requestShares = ofRequests.map(({ ours, other }) => ours.cpu / other.cpu);
  return {
    coldStart: `${fromTo(starts, milliseconds)} ms on the machine of the bench, which is ${fromTo(startShares, percent)} of what a conventional build takes`,
    warmRequest: `${fromTo(requests, milliseconds)} ms of CPU time there, which is ${fromTo(requestShares, percent)} of what a plain handler takes`,
  };
}

export function coldStartPicture(): string {
  const barOf = (label: string, { init, sum }: ColdStart): Bar => ({ label, parts: [init, sum - init] });
  return barChart({
    title: 'Cold starts in milliseconds',
    parts: ['start and init', 'first response'],
    bars: Object.entries(coldStarts.functions).flatMap(([name, { ours, other }]) => [
      barOf(name, ours),
      barOf(`${name}, conventional`, other),
    ]),
    format: milliseconds,
  });
}
