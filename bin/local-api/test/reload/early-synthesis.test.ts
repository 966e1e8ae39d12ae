import { describe, expect, it } from 'vitest';
import { earlySynthesis } from '../../reload/early-synthesis.ts';
import type { Deployment } from '../../template/deployment.ts';
import { stubDeployment } from '../support/stub-deployment.ts';

interface Run {
  readonly app: string;
  readonly signal: AbortSignal;
  readonly end: PromiseWithResolvers<Deployment>;
}

/** Returns what synthesizes, and its runs, which the test ends. */
function startSynthesis() {
  const runs: Run[] = [];
  const synthesis = earlySynthesis((app, signal) => {
    const end = Promise.withResolvers<Deployment>();
    runs.push({ app, signal, end });
    return end.promise;
  });
  return { runs, ...synthesis };
}

const never = new AbortController().signal;

describe('an early synthesis', () => {
  it('is that of its version', async () => {
    const { runs, begin, synthesize } = startSynthesis();

    begin('first');
    const synthesized = synthesize('first', never);
    runs[0]?.end.resolve(stubDeployment);

    expect(await synthesized).toBe(stubDeployment);
    expect(runs).toHaveLength(1);
  });

  it('is used once: what the app reads may have changed since', () => {
    const { runs, begin, synthesize } = startSynthesis();

    begin('first');
    synthesize('first', never);
    synthesize('first', never);

    expect(runs.map(({ app }) => app)).toEqual(['first', 'first']);
  });

  it('is not that of another version', () => {
    const { runs, begin, synthesize } = startSynthesis();

    begin('first');
    synthesize('second', never);

    expect(runs.map(({ app }) => app)).toEqual(['first', 'second']);
  });

  it('does not begin while another runs', () => {
    const { runs, begin, synthesize } = startSynthesis();

    synthesize('first', never);
    begin('second');

    expect(runs.map(({ app }) => app)).toEqual(['first']);
  });

  it('that nobody has asked for ends with the next version', () => {
    const { runs, begin } = startSynthesis();

    begin('first');
    begin('second');

    expect(runs[0]?.signal.aborted).toBe(true);
  });

  it('ends with the signal of who asks for it', () => {
    const { runs, begin, synthesize } = startSynthesis();
    const end = new AbortController();

    begin('first');
    synthesize('first', end.signal);
    end.abort();

    expect(runs[0]?.signal.aborted).toBe(true);
  });

  it('fails for who asks for it', async () => {
    const { runs, begin, synthesize } = startSynthesis();

    begin('first');
    runs[0]?.end.reject(new Error('No stack.'));

    await expect(synthesize('first', never)).rejects.toThrow('No stack.');
  });
});
