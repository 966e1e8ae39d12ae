import { type Indicator, slowAfterMilliseconds } from './indicators.ts';

/** What clients may count on, over 30 days. */
export interface Objective {
  /** What counts against it, of all that was served. */
  readonly counted: Indicator;
  /** The share of what was served that may be counted before the objective is missed: its error budget. */
  readonly budget: number;
  readonly meaning: string;
}

/** The service level objectives: https://sre.google/sre-book/service-level-objectives/ */
export const objectives = {
  /** 99.9 % without a 5xx: 43 minutes of 30 days in which nothing works. */
  Availability: { counted: 'Errors', budget: 0.001, meaning: 'Clients get a 5xx' },
  /** 99 % within a second. */
  Latency: {
    counted: 'Slow',
    budget: 0.01,
    meaning: `Clients wait for more than ${slowAfterMilliseconds} ms`,
  },
} as const satisfies Record<string, Objective>;
