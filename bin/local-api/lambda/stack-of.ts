import type { ChildProcess } from 'node:child_process';
import { on, once } from 'node:events';
import type { Interface } from 'node:readline';

/** The part of a response that is needed: https://chromedevtools.github.io/devtools-protocol/v8/Runtime/ */
interface Evaluated {
  readonly result?: { readonly result?: { readonly value?: string } };
}

/**
 * Returns the stack of the code that a process is running, such as an endless loop, or none if it waits, is stopped,
 * or is in a native call: then it does not respond in time. Node opens the inspector on a signal, which Windows does
 * not have, and tells in the output, `printed`, where it listens.
 */
export async function stackOf(
  child: ChildProcess,
  printed: Interface,
  timeoutMs: number,
): Promise<readonly string[]> {
  if (process.platform === 'win32') return [];
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    child.kill('SIGUSR1');
    for await (const [line] of on(printed, 'line', { signal })) {
      const [, url] = /^Debugger listening on (ws:\S+)$/.exec(line) ?? [];
      if (url !== undefined) return await stackAt(url, signal);
    }
  } catch {
    // It takes too long, or has ended.
  }
  return [];
}

async function stackAt(url: string, signal: AbortSignal): Promise<readonly string[]> {
  const inspector = new WebSocket(url);
  try {
    await once(inspector, 'open', { signal });
    // Interrupts what runs, so that its frames are below that of the evaluation.
    const params = { expression: 'new Error().stack' };
    inspector.send(JSON.stringify({ id: 1, method: 'Runtime.evaluate', params }));
    const [{ data }] = await once(inspector, 'message', { signal });
    const { result }: Evaluated = JSON.parse(data);
    // The first lines are the name of the error and the evaluation itself.
    return result?.result?.value?.split('\n').slice(2) ?? [];
  } finally {
    inspector.close();
  }
}
