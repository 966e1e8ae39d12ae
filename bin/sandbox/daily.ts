import { type DailyCheck, dailyTests } from '../cli/daily-check.ts';

export const check: DailyCheck = {
  says: 'installs the sandbox offline, and runs the end-to-end tests and its document against it',
  runs: [['bin/sandbox/test/end-to-end.ts'], dailyTests('bin/sandbox')],
};
