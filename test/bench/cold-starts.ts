import { loadavg } from 'node:os';
import { type ColdStart, repetitions, writeMeasured } from '../scale/measured.ts';
import { benchedFunctions, median } from './benched-functions.ts';
import { buildConventionally } from './conventional.ts';
import { measureStart, type Start } from './measure-start.ts';

// Measures cold starts of the functions as deployed, and as most projects would build them.
// Usage: npm run bench -- cold-starts [<folder of a control group, which limits the CPU after init>]

const [, , , controlGroup] = process.argv;
const [load = Number.NaN] = loadavg();

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
for (let round = 0; round < repetitions.starts; round += 1) {
  for (const { build, starts } of functions.flatMap(({ deployed, conventional }) => [
    deployed,
    conventional,
  ])) {
    starts.push(await measureStart(build, controlGroup));
  }
}

const medianOf = (starts: readonly Start[]): ColdStart => ({
  init: median(starts.map(({ init }) => init)),
  sum: median(starts.map(({ sum }) => sum)),
});
const medians = functions.map(({ name, deployed, conventional }) => ({
  name,
  ours: medianOf(deployed.starts),
  other: medianOf(conventional.starts),
}));
writeMeasured(controlGroup === undefined ? 'coldStarts' : 'limitedColdStarts', {
  load,
  functions: Object.fromEntries(medians.map(({ name, ours, other }) => [name, { ours, other }])),
});

console.table(
  medians.map(({ name, ours, other }) => ({
    name,
    init: ours.init.toFixed(1),
    'init + first': ours.sum.toFixed(1),
    conventional: other.sum.toFixed(1),
    '× conventional': (ours.sum / other.sum).toFixed(2),
  })),
);
console.log(`The load was ${load.toFixed(1)} at first. npm run figures writes the results to docs/speed.md.`);
