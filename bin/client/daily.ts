import type { DailyCheck } from '../cli/daily-check.ts';

export const check: DailyCheck = {
  says: "runs the client's network tests on Node, Bun and Deno, and compiles its package with older resolutions",
  runs: [['bin/client/test/runtimes/run.ts'], ['bin/client/test/runtimes/resolutions.ts']],
  packages: 'bin/client/test/runtimes',
};
