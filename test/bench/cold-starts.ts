import { writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { type Bar, barChart } from '../scale/figures/bar-chart.ts';
import { benchedFunctions, median } from './benched-functions.ts';
import { buildConventionally } from './conventional.ts';
import { measureStart, type Start } from './measure-start.ts';

// Measures cold starts of the functions as deployed, and as most projects would build them.
// Usage: npm run bench -- cold-starts [<folder of a control group, which limits the CPU after init>]

/** How often each build is started. */
const rounds = 20;

const [, , , controlGroup] = process.argv;

await using benched = await benchedFunctions();
const functions = [];
for (const { name, deployed, other } of benched.functions) {
  await buildConventionally(name, other.directory);
  functions.push({
    name,
    deployed: { build: deployed, starts: [] as Start[] },
    conventional: { build: other, starts: [] as Start[] },
  });
}

// A round starts each build once, so that other load does not affect one build alone.
for (let round = 0; round < rounds; round += 1) {
  for (const { build, starts } of functions.flatMap(({ deployed, conventional }) => [
    deployed,
    conventional,
  ])) {
    starts.push(await measureStart(build, controlGroup));
  }
}

const medians = functions.map(({ name, deployed, conventional }) => ({
  name,
  init: median(deployed.starts.map(({ init }) => init)),
  sum: median(deployed.starts.map(({ sum }) => sum)),
  conventional: {
    init: median(conventional.starts.map(({ init }) => init)),
    sum: median(conventional.starts.map(({ sum }) => sum)),
  },
}));

const barOf = (label: string, { init, sum }: { readonly init: number; readonly sum: number }): Bar => ({
  label,
  parts: [init, sum - init],
});
const picture = barChart({
  title: 'Cold starts, in milliseconds on the machine of the bench',
  parts: ['start and init', 'first response'],
  bars: medians.flatMap((ours) => [
    barOf(ours.name, ours),
    barOf(`${ours.name}, conventional`, ours.conventional),
  ]),
  format: (milliseconds) => `${Math.round(milliseconds)}`,
});
if (controlGroup === undefined) writeFileSync('docs/pictures/cold-start.svg', picture);

console.table(
  medians.map(({ name, init, sum, conventional }) => ({
    name,
    init: init.toFixed(1),
    'init + first': sum.toFixed(1),
    conventional: conventional.sum.toFixed(1),
    '× conventional': (sum / conventional.sum).toFixed(2),
  })),
);
console.log(`Load of the machine: ${loadavg()[0]?.toFixed(1)}`);
