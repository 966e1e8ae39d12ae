import { type DailyCheck, dailyTests } from '../cli/daily-check.ts';

export const check: DailyCheck = {
  says: 'uses the reference in a browser, also what is too slow for npm test',
  runs: [dailyTests('bin/reference/test/e2e')],
};
