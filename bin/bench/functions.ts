import { benchedFunctions } from './benched-functions.ts';
import { measureFunction } from './measure-function.ts';
import { median } from './median.ts';
import { plainOf } from './plain-function.ts';

const rounds = 10;

/** Measures cold starts, memory and warm invocations of the functions as deployed, and prints medians. */
export async function benchFunctions(controlGroup: string | undefined): Promise<void> {
  await using benched = await benchedFunctions();
  const results = [];
  for (const build of benched.functions) {
    results.push({ build, plain: await plainOf(build), measured: [] as Measured[] });
  }
  // A round measures each function once, so that other load does not affect one function alone.
  for (let round = 0; round < rounds; round += 1) {
    for (const { build, plain, measured } of results) {
      const own = await measureFunction(build, controlGroup);
      const ofPlain = plain && own.cpu / (await measureFunction(plain, controlGroup)).cpu;
      measured.push({ ...own, ofPlain });
    }
  }
  const rows = results.map(({ build: { name }, plain, measured }) => {
    const of = (figure: Figure) => median(measured.map((result) => result[figure] ?? Number.NaN));
    return {
      name,
      'init ms': of('init').toFixed(1),
      'init + first ms': of('first').toFixed(1),
      'memory MiB': of('memory').toFixed(0),
      'warm CPU ms': of('cpu').toFixed(2),
      ...(plain && { 'of a plain handler': of('ofPlain').toFixed(2) }),
    };
  });
  console.table(rows);
}

type Measured = Awaited<ReturnType<typeof measureFunction>> & { readonly ofPlain: number | undefined };
type Figure = 'init' | 'first' | 'memory' | 'cpu' | 'ofPlain';
