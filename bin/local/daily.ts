import { type DailyCheck, dailyTests } from '../cli/daily-check.ts';

export const check: DailyCheck = {
  says: 'sends thousands of hostile requests to the local API, fills its disk, and debugs it',
  runs: [
    dailyTests(
      'bin/local/test/e2e/fuzz.test.ts',
      'bin/local/test/e2e/kept-data.slow.test.ts',
      'bin/local/test/inspect.daily.test.ts',
    ),
  ],
};
