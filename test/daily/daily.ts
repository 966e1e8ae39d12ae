import { spawnSync } from 'node:child_process';
import { createCommand } from '../../bin/cli/create-command.ts';
import { checks } from './checks.ts';
import { trials } from './trials/all-trials.ts';

const list = Object.entries(checks).map(([name, { says }]) => `  ${name.padEnd(12)}${says}`);
const command = createCommand('npm run daily --', 'Runs the checks that take too long for npm test.')
  .argument('[check]', 'one of those below; by default all, which takes hours')
  .argument('[arguments...]', 'what the check takes, such as the names of trials')
  .option('--list', 'print all checks as JSON, with each trial alone', false)
  .passThroughOptions()
  .addHelpText('after', `\nChecks:\n${list.join('\n')}`)
  .parse();
const [chosen, ...args] = command.args;
if (command.opts<{ list: boolean }>().list) {
  const each = Object.keys(trials).map((trial) => `trials ${trial}`);
  console.log(JSON.stringify(Object.keys(checks).flatMap((check) => (check === 'trials' ? each : check))));
  process.exit();
}
if (chosen !== undefined && !(chosen in checks)) {
  command.error(`error: There is no check ${chosen}: choose one of ${Object.keys(checks).join(', ')}.`);
}

const results: { check: string; seconds: number; result: string }[] = [];
for (const [check, { runs, packages }] of Object.entries(checks)) {
  if (chosen !== undefined && chosen !== check) continue;
  const started = performance.now();
  const isInstalled = packages === undefined || install(packages);
  const hasPassed = isInstalled && runs.every(([script, ...own]) => passes(script, [...own, ...args]));
  const seconds = Math.round((performance.now() - started) / 1000);
  results.push({ check, seconds, result: hasPassed ? 'passed' : 'failed' });
}
console.table(results);
if (results.some(({ result }) => result === 'failed')) process.exitCode = 1;

function install(directory: string): boolean {
  const args = ['ci', '--prefix', directory, '--ignore-scripts', '--no-audit', '--no-fund'];
  const { npm_execpath: npm } = process.env;
  if (npm === undefined) throw new Error('Run this command as npm run daily.');
  return passes(npm, args);
}

function passes(script: string, args: readonly string[]): boolean {
  return spawnSync(process.execPath, [script, ...args], { stdio: 'inherit' }).status === 0;
}
