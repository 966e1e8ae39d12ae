import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { checks } from './checks.ts';

it('the daily checks run every other check of npm run daily', () => {
  const { matrix } = parse(readFileSync('.github/workflows/daily.yml', 'utf8')).jobs.checks.strategy;

  expect(['trials', ...matrix.check]).toEqual(Object.keys(checks));
});
