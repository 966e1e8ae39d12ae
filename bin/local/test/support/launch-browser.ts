import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import npmChromium, { inflate } from '@sparticuz/chromium';
import { type Browser, chromium, type LaunchOptions } from 'playwright-core';
import { describe, vi } from 'vitest';
import packages from '../../../../package.json' with { type: 'json' };

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

/** Unpacks npm's Chromium, with libraries that a machine may lack, unless earlier tests have: it takes seconds. */
async function unpackChromium(): Promise<LaunchOptions> {
  const directory = resolve('node_modules/.cache/chromium', packages.devDependencies['@sparticuz/chromium']);
  if (!existsSync(directory)) {
    mkdirSync(dirname(directory), { recursive: true });
    const unfinished = mkdtempSync(`${directory}-`);
    // The package unpacks into the system's temporary directory.
    vi.stubEnv('TMPDIR', unfinished);
    const libraries = resolve('node_modules/@sparticuz/chromium/bin/al2023.tar.br');
    await Promise.all([npmChromium.executablePath(), inflate(libraries)]);
    vi.unstubAllEnvs();
    // Other tests may have unpacked it at the same time.
    if (existsSync(directory)) rmSync(unfinished, { recursive: true });
    else renameSync(unfinished, directory);
  }
  const env = { ...process.env, LD_LIBRARY_PATH: join(directory, 'al2023/lib') };
  return { executablePath: join(directory, 'chromium'), args: ['--no-sandbox'], env };
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
