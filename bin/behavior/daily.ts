import { type DailyCheck, dailyTests } from '../cli/daily-check.ts';

export const check: DailyCheck = {
  says: 'tests that npm run behavior finds changes',
  runs: [dailyTests('bin/behavior')],
};
