import { createInterface } from 'node:readline';

/**
 * Opens standard input for questions. An answer is a line of it, without surrounding spaces, and empty at its
 * end. An abort ends the questions.
 */
export function openAnswers(signal: AbortSignal) {
  const input = createInterface({ input: process.stdin });
  const lines = input[Symbol.asyncIterator]();
  const close = () => input.close();
  signal.addEventListener('abort', close);
  return {
    async ask(question: string): Promise<string> {
      process.stderr.write(`${question} `);
      const { value = '' } = await lines.next();
      if (!process.stdin.isTTY) process.stderr.write('\n');
      signal.throwIfAborted();
      return `${value}`.trim();
    },
    close,
  };
}
