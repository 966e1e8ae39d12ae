import { loadavg } from 'node:os';
import { benchedFunctions, median } from './benched-functions.ts';
import { measureWarm, type Warm } from './measure-warm.ts';
import { buildPlain } from './plain.ts';

// Measures the CPU time and duration of warm invocations, also of plain handlers, which only call DynamoDB.
// Usage: npm run bench -- warm [<folder of a control group, which limits the CPU of the functions>]

const rounds = 3;

const [, , , controlGroup] = process.argv;

await using benched = await benchedFunctions();
const functions = benched.functions.map(({ name, deployed, other }) => {
  buildPlain(name, other.directory);
  return {
    name,
    ours: { build: deployed, results: [] as Warm[] },
    plain: { build: other, results: [] as Warm[] },
  };
});

// A round measures each build once, so that other load does not affect one build alone.
for (let round = 0; round < rounds; round += 1) {
  for (const { build, results } of functions.flatMap(({ ours, plain }) => [ours, plain])) {
    results.push(await measureWarm(build, controlGroup));
  }
}

console.table(
  functions.map(({ name, ours, plain }) => {
    const cpu = median(ours.results.map((warm) => warm.cpu));
    const plainCpu = median(plain.results.map((warm) => warm.cpu));
    return {
      name,
      'CPU ms': cpu.toFixed(2),
      plain: plainCpu.toFixed(2),
      '× plain': (cpu / plainCpu).toFixed(2),
      'duration ms': median(ours.results.map(({ duration }) => duration)).toFixed(2),
    };
  }),
);
console.log(`Load of the machine: ${loadavg()[0]?.toFixed(1)}`);
