import type { ChildProcess } from 'node:child_process';
import { on } from 'node:events';
import type { Interface } from 'node:readline';

/** A process that takes longer runs no JavaScript: it waits, is stopped, or is in a native call. */
const timeoutMs = 3000;

/** https://chromedevtools.github.io/devtools-protocol/v8/Debugger/ */
interface InspectorMessage {
  readonly params?: { readonly callFrames?: readonly [{ readonly callFrameId: string }] };
  readonly result?: { readonly result?: { readonly value?: string } };
}

/**
 * Returns the stack of the code that a process is running, such as an endless loop, or none if it runs no
 * JavaScript. The process tells in its output, `printed`, where its inspector listens. Windows has no such signal.
 */
export async function stackOf(child: ChildProcess, printed: Interface): Promise<readonly string[]> {
  if (process.platform === 'win32') return [];
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    child.kill('SIGUSR1');
    for await (const [line] of on(printed, 'line', { signal })) {
      const [, url] = /^Debugger listening on (ws:\S+)$/.exec(line) ?? [];
      if (url !== undefined) return await pausedStack(url, signal);
    }
  } catch {
    // It takes too long, or has ended.
  }
  return [];
}

async function pausedStack(url: string, signal: AbortSignal): Promise<readonly string[]> {
  const { promise, resolve, reject } = Promise.withResolvers<readonly string[]>();
  signal.addEventListener('abort', reject);
  const inspector = new WebSocket(url);
  const send = (method: string, params?: object) => inspector.send(JSON.stringify({ id: 1, method, params }));
  inspector.addEventListener('error', reject);
  inspector.addEventListener('open', () => {
    send('Debugger.enable');
    send('Debugger.pause');
  });
  inspector.addEventListener('message', ({ data }) => {
    const { params, result }: InspectorMessage = JSON.parse(data);
    const [frame] = params?.callFrames ?? [];
    // In the process itself, because it knows the names in the sources.
    if (frame) send('Debugger.evaluateOnCallFrame', { ...frame, expression: 'new Error().stack' });
    // The first lines are the name of the error and the evaluation itself.
    if (result?.result?.value) resolve(result.result.value.split('\n').slice(2));
  });
  return promise.finally(() => inspector.close());
}
