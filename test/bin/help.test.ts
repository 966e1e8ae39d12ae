import { expect, it } from 'vitest';
import { runCommand } from '../support/local/command-process.ts';

it.each(['breaking-changes', 'client', 'docs', 'export', 'import', 'keys', 'openapi'])(
  '%s prints its usage with --help',
  async (name) => {
    expect(await runCommand(`bin/${name}.ts`, ['--help'], { environment: {} })).toStrictEqual({
      exitCode: 0,
      stdout: expect.stringMatching(new RegExp(`^Usage: npm run (-s )?${name}`)),
      stderr: '',
    });
  },
);
