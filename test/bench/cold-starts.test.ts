import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { runBench } from './run-bench.ts';

const positive = v.pipe(v.number(), v.gtValue(0));
const Ratios = v.strictObject({
  init: positive,
  firstInvocation: positive,
  coldStart: positive,
  warmP50: positive,
  loadedBytes: positive,
});
const ColdStart = v.strictObject({
  name: v.string(),
  build: v.string(),
  init: positive,
  firstInvocation: positive,
  coldStart: positive,
  warmP50: positive,
  warmP99: positive,
  billedMs: positive,
  loadedAtStart: v.object({ files: positive, bytes: positive }),
  peakMemory: v.optional(positive),
  toFloor: Ratios,
  toOneCall: Ratios,
  toConventional: v.optional(Ratios),
});
const Sections = v.strictTuple([
  v.strictObject({ title: v.literal('Without a CPU limit'), coldStarts: v.array(ColdStart) }),
  // Not every machine lets a CPU be limited.
  v.strictObject({
    title: v.literal('As at 256 MB: 0.14 CPU after init'),
    memorySize: v.literal(256),
    coldStarts: v.optional(v.array(ColdStart)),
    skipped: v.optional(v.string()),
  }),
]);

// It starts 20 processes, on a machine that may be busy.
describe('npm run bench', { timeout: 90_000 }, () => {
  it('measures both builds of a function, and loads far less at start of the deployed one', async ({
    signal,
  }) => {
    const [{ coldStarts }, limited] = v.parse(
      Sections,
      await runBench(['--handler', 'get-pet', '--starts', '1', '--warm', '3'], signal),
    );

    const measured = (rows: typeof coldStarts) => rows.map(({ name, build }) => `${name} ${build}`);
    const expected = ['empty bare', 'one-call bare', 'get-pet deployed', 'get-pet conventional'];
    expect(measured(coldStarts)).toEqual(expected);
    if (limited.coldStarts) expect(measured(limited.coldStarts)).toEqual(expected);
    else expect(limited.skipped).toMatch(/^No CPU limit can be set here: /);

    const deployed = coldStarts.find(({ build }) => build === 'deployed');
    expect(deployed?.toConventional?.loadedBytes).toBeLessThan(0.3);
  });
});
