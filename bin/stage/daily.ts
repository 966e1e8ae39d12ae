import { type DailyCheck, dailyTests } from '../cli/daily-check.ts';

export const check: DailyCheck = {
  says: 'puts 100,000 items back, although it is interrupted',
  runs: [dailyTests('bin/stage/test/put-back/command.slow.test.ts')],
};
