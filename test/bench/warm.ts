import { loadavg } from 'node:os';
import { type WarmRequest, writeMeasured } from '../scale/measured.ts';
import { benchedFunctions, median } from './benched-functions.ts';
import { measureWarm } from './measure-warm.ts';
import { buildPlain } from './plain.ts';

// Measures the CPU time and duration of warm invocations, also of plain handlers, which only call DynamoDB.
// Usage: npm run bench -- warm [<folder of a control group, which limits the CPU of the functions>]

const rounds = 5;

const [, , , controlGroup] = process.argv;
const [load = Number.NaN] = loadavg();

await using benched = await benchedFunctions();
const functions = benched.functions.map(({ name, deployed, other }) => {
  buildPlain(name, other.directory);
  return {
    name,
    ours: { build: deployed, results: [] as WarmRequest[] },
    plain: { build: other, results: [] as WarmRequest[] },
  };
});

// A round measures each build once, so that other load does not affect one build alone.
for (let round = 0; round < rounds; round += 1) {
  for (const { build, results } of functions.flatMap(({ ours, plain }) => [ours, plain])) {
    results.push(await measureWarm(build, controlGroup));
  }
}

const medianOf = (results: readonly WarmRequest[]): WarmRequest => ({
  cpu: median(results.map(({ cpu }) => cpu)),
  duration: median(results.map(({ duration }) => duration)),
});
const medians = functions.map(({ name, ours, plain }) => ({
  name,
  ours: medianOf(ours.results),
  other: medianOf(plain.results),
}));
writeMeasured(controlGroup === undefined ? 'warm' : 'limitedWarm', {
  load,
  functions: Object.fromEntries(medians.map(({ name, ours, other }) => [name, { ours, other }])),
});

console.table(
  medians.map(({ name, ours, other }) => ({
    name,
    'CPU ms': ours.cpu.toFixed(2),
    plain: other.cpu.toFixed(2),
    '× plain': (ours.cpu / other.cpu).toFixed(2),
    'duration ms': ours.duration.toFixed(2),
    'plain duration ms': other.duration.toFixed(2),
  })),
);
console.log(`The load was ${load.toFixed(1)} at first. npm run figures writes the results to docs/speed.md.`);
