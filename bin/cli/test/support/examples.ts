import { runCommand } from './command-process.ts';

/** Returns the options or arguments that have examples, such as `--port 3000`. */
export function examplesIn(help: string): readonly [option: string, value: string][] {
  const entries = help.split(/\n {2}(?=\S)/).map((entry) => entry.replaceAll(/\s+/g, ' '));
  return entries.flatMap((entry) => {
    const [option = ''] = entry.split(' ');
    const values = entry.matchAll(
      /(?:such as|date such as|or) (?:"([^"]+)"|([\w.~%/-]*[\d.~%/][\w.~%/-]*))/g,
    );
    return Array.from(values, ([, quoted, plain = '']): [string, string] => [
      option,
      quoted ?? plain.replace(/[,.]$/, ''),
    ]);
  });
}

/** Returns the examples in the usage text of a command. */
export async function examplesOf(script: string, ...args: readonly string[]) {
  const { exitCode, stdout, stderr } = await runCommand(script, [...args, '--help']);
  if (exitCode !== 0) throw new Error(stderr);
  return examplesIn(stdout);
}
