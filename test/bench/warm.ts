import { loadavg } from 'node:os';
import { benchedFunctions, median } from './benched-functions.ts';
import { measureWarm } from './measure-warm.ts';
import { buildPlain } from './plain.ts';

// Measures the CPU time of warm invocations, also of plain handlers, which only call DynamoDB.
// Usage: npm run bench -- warm [<folder of a control group, which limits the CPU of the functions>]

const rounds = 3;

const [, , , controlGroup] = process.argv;

await using benched = await benchedFunctions();
const functions = benched.functions.map(({ name, deployed, other }) => {
  buildPlain(name, other.directory);
  return {
    name,
    ours: { build: deployed, times: [] as number[] },
    plain: { build: other, times: [] as number[] },
  };
});

// A round measures each build once, so that other load does not affect one build alone.
for (let round = 0; round < rounds; round += 1) {
  for (const { build, times } of functions.flatMap(({ ours, plain }) => [ours, plain])) {
    times.push(await measureWarm(build, controlGroup));
  }
}

console.table(
  functions.map(({ name, ours, plain }) => ({
    name,
    'CPU ms': median(ours.times).toFixed(2),
    plain: median(plain.times).toFixed(2),
    '× plain': (median(ours.times) / median(plain.times)).toFixed(2),
  })),
);
console.log(`Load of the machine: ${loadavg()[0]?.toFixed(1)}`);
