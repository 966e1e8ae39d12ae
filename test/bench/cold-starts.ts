import { loadavg } from 'node:os';
import { repetitions, writeMeasured } from '../scale/measured.ts';
import { compareBuilds } from './compare-builds.ts';
import { buildConventionally } from './conventional.ts';
import { measureStart } from './measure-start.ts';

// Measures cold starts of the functions as deployed, and as most projects would build them.
// Usage: npm run bench -- cold-starts [<folder of a control group, which limits the CPU after init>]

const [, , , controlGroup] = process.argv;
const [load = Number.NaN] = loadavg();

const compared = await compareBuilds({
  buildOther: buildConventionally,
  rounds: repetitions.starts,
  measure: (build) => measureStart(build, controlGroup),
  figures: ['init', 'sum'],
});
writeMeasured(controlGroup === undefined ? 'coldStarts' : 'limitedColdStarts', { load, compared });

console.table(
  compared.map(({ name, ours, other }) => ({
    name,
    init: ours.init.toFixed(1),
    'init + first': ours.sum.toFixed(1),
    conventional: other.sum.toFixed(1),
    '× conventional': (ours.sum / other.sum).toFixed(2),
  })),
);
console.log(`The load was ${load.toFixed(1)} at first. npm run figures writes the results to docs/speed.md.`);
