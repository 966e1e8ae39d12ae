/** How long a rate looks back, in milliseconds. */
const span = 10_000;
/** How far its samples are apart at least, in milliseconds. */
const step = 250;

/**
 * The rate of what is counted, a second, over the last ten seconds: an import that starts again after a wait is as fast as
 * it is now, not as it was on average. What is returned is called with a count and an instant in milliseconds.
 */
export function createRecentRate(start: number): (count: number, now: number) => number {
  const samples = [{ count: 0, at: start }];
  return (count, now) => {
    if (now - (samples.at(-1)?.at ?? start) >= step) samples.push({ count, at: now });
    while (samples.length > 2 && now - (samples[1]?.at ?? now) >= span) samples.shift();
    const [oldest] = samples;
    return oldest && now > oldest.at ? ((count - oldest.count) * 1000) / (now - oldest.at) : 0;
  };
}
