import { spawnSync } from 'node:child_process';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { temporaryDirectory } from '../e2e/temporary-file.ts';

export interface Step {
  readonly name?: string;
  readonly uses?: string;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly if?: string;
  readonly shell?: string;
  readonly run?: string;
}

export interface Job {
  readonly needs?: string | readonly string[];
  readonly if?: string;
  readonly uses?: string;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly steps?: readonly Step[];
}

/** The paths of all workflows. */
export const workflows = globSync('.github/workflows/*.yml');

/** Returns a workflow by its name. */
export const workflow = (name: string) => parse(readFileSync(`.github/workflows/${name}.yml`, 'utf8'));

/** Returns the scripts of a job. */
export const scriptsOf = ({ steps = [] }: Job) => steps.flatMap(({ run }) => run ?? []);

/** Runs a step for bash, as a runner with Linux does, with these commands in place of the runner's. */
export function runInBash(
  step: Step | undefined,
  commands: Readonly<Record<string, string>>,
  env: NodeJS.ProcessEnv,
) {
  const directory = temporaryDirectory(onTestFinished);
  for (const [name, script] of Object.entries(commands)) {
    writeFileSync(join(directory, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  }
  const PATH = `${directory}:${process.env['PATH']}`;
  const args = ['--norc', '-e', '-c', step?.run ?? ''];
  return spawnSync('bash', args, { env: { PATH, ...env }, encoding: 'utf8' });
}

export const isLinux = process.platform === 'linux';

/** Runs a step that is a script for Node, as a runner does. */
export function runStep(
  step: Step | undefined,
  directory: string,
  env: Readonly<Record<string, string>> = {},
) {
  const script = join(directory, 'script');
  writeFileSync(script, step?.run ?? '');
  expect(step?.shell).toBe('node {0}');
  return spawnSync(process.execPath, [script], { cwd: directory, env, encoding: 'utf8' });
}
