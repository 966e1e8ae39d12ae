import { loadavg } from 'node:os';
import { writeMeasured } from '../scale/measured.ts';
import { compareBuilds } from './compare-builds.ts';
import { measureWarm } from './measure-warm.ts';
import { buildPlain } from './plain.ts';

// Measures the CPU time and duration of warm invocations, also of plain handlers, which only call DynamoDB.
// Usage: npm run bench -- warm [<folder of a control group, which limits the CPU of the functions>]

const [, , , controlGroup] = process.argv;
const [load = Number.NaN] = loadavg();

const compared = await compareBuilds({
  buildOther: buildPlain,
  rounds: 5,
  measure: (build) => measureWarm(build, controlGroup),
  figures: ['cpu', 'duration'],
});
writeMeasured(controlGroup === undefined ? 'warm' : 'limitedWarm', { load, compared });

console.table(
  compared.map(({ name, ours, other }) => ({
    name,
    'CPU ms': ours.cpu.toFixed(2),
    plain: other.cpu.toFixed(2),
    '× plain': (ours.cpu / other.cpu).toFixed(2),
    'duration ms': ours.duration.toFixed(2),
    'plain duration ms': other.duration.toFixed(2),
  })),
);
console.log(`The load was ${load.toFixed(1)} at first. npm run figures writes the results to docs/speed.md.`);
