import { type Browser, chromium } from 'playwright-core';
import { describe, inject } from 'vitest';

const options = inject('browser');

/** A suite that is skipped if this machine has no browser. */
export const describeInBrowser = describe.skipIf(options === null);

export const launchBrowser = (...args: readonly string[]): Promise<Browser> =>
  chromium.launch({ ...options, args: [...(options?.args ?? []), ...args] });
