/** The share of requests that may get a 5xx over 30 days: an availability of 99.9%. */
export const errorBudget = 0.001;

/** The share of requests that may be slow over 30 days. */
export const slowBudget = 0.01;

/** A response slower than this many milliseconds counts against the latency objective. */
export const slowAfterMilliseconds = 1000;
