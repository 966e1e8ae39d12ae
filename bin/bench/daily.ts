import type { DailyCheck } from '../cli/daily-check.ts';

export const check: DailyCheck = {
  says: 'measures the functions, npm run dev and the memory of the local API',
  runs: [['bin/bench/bench.ts'], ['bin/bench/bench.ts', 'reload'], ['bin/bench/bench.ts', 'memory']],
};
