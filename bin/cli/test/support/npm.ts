import { type ExecFileOptionsWithStringEncoding, execFile } from 'node:child_process';
import { promisify } from 'node:util';

const { npm_execpath: path } = process.env;
const run = promisify(execFile);

/** Runs npm. Windows would need a shell for `npm`, which splits arguments at spaces; npm sets its path. */
export const npm = (
  args: readonly string[],
  options: Omit<ExecFileOptionsWithStringEncoding, 'encoding'> = {},
) => (path ? run(process.execPath, [path, ...args], options) : run('npm', args, options));
