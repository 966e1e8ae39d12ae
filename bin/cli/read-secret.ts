import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';

/** Reads a secret from standard input: typed invisibly on a terminal, or piped in. */
export async function readSecret(prompt: string): Promise<string> {
  if (!process.stdin.isTTY) return (await text(process.stdin)).trim();

  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  // Without a listener, the promise would never settle.
  terminal.once('SIGINT', () => process.exit(130));
  process.stderr.write(prompt);
  const secret = await terminal.question('');
  terminal.close();
  process.stderr.write('\n');
  return secret.trim();
}
