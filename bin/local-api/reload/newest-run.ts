/**
 * Returns what asks for a run, of which there is one at a time. A run that is asked for meanwhile follows it, and ends
 * it, but not before it has had its time, which doubles whenever a run is ended. So a run that hangs is replaced soon,
 * and one that is slow gets done, however often another is asked for.
 *
 * @param run - does the newest work, and leaves it undone if the signal ends it; it never rejects
 */
export function newestRun(run: (signal: AbortSignal) => Promise<void>, firstTimeMs: number): () => void {
  let timeMs = firstTimeMs;
  let isAsked = false;
  let endSoon: (() => void) | undefined;

  async function runOnce(): Promise<void> {
    const end = new AbortController();
    const startedAt = performance.now();
    let timer: NodeJS.Timeout | undefined;
    endSoon = () => {
      timer ??= setTimeout(() => end.abort(), Math.max(0, startedAt + timeMs - performance.now()));
    };
    await run(end.signal);
    clearTimeout(timer);
    endSoon = undefined;
    timeMs = end.signal.aborted ? 2 * timeMs : firstTimeMs;
  }

  return () => {
    isAsked = true;
    if (endSoon) return endSoon();
    void (async () => {
      while (isAsked) {
        isAsked = false;
        await runOnce();
      }
    })();
  };
}
