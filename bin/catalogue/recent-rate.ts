/** How long a rate looks back, in milliseconds. */
const span = 10_000;
/** How far its samples are apart at least, in milliseconds. */
const step = 250;
/** After so long a pause, in milliseconds, what was before says nothing. */
const pause = 2000;

/**
 * The rate of what is counted, a second, over the last ten seconds, or since a pause: an import that goes on after a wait
 * is as fast as it is now, not as it was on average. What is returned is called with a count and an instant in
 * milliseconds.
 */
export function createRecentRate(start: number): (count: number, now: number) => number {
  let samples = [{ count: 0, at: start }];
  let latest = { count: 0, at: start };
  return (count, now) => {
    if (count > latest.count) {
      if (now - latest.at > pause) samples = [{ count, at: now }];
      latest = { count, at: now };
    }
    if (now - (samples.at(-1)?.at ?? start) >= step) samples.push({ count, at: now });
    while (samples.length > 2 && now - (samples[1]?.at ?? now) >= span) samples.shift();
    const [oldest] = samples;
    return oldest && now > oldest.at ? ((count - oldest.count) * 1000) / (now - oldest.at) : 0;
  };
}
