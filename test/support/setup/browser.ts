import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { chromium, type LaunchOptions } from 'playwright-core';
import type { TestProject } from 'vitest/node';
import project from '../../../package.json' with { type: 'json' };

type Browser = Pick<LaunchOptions, 'args' | 'channel' | 'env' | 'executablePath'>;

declare module 'vitest' {
  interface ProvidedContext {
    /** How to launch the browser, or null if this machine has none. */
    browser: Browser | null;
  }
}

/** Where systems without a Chromium in npm may have a browser. */
const installedBrowsers: readonly Browser[] = [
  { channel: 'chrome' },
  { channel: 'msedge' },
  { channel: 'chromium' },
  { executablePath: '/usr/bin/chromium' },
];

/** Provides the browser of the tests: npm's Chromium, which is for Linux on x64, or else an installed one. */
export async function setup({ provide }: TestProject): Promise<void> {
  const isInNpm = process.platform === 'linux' && process.arch === 'x64';
  const browser = isInNpm ? unpackedChromium() : await installedBrowser();
  if (!browser) console.warn('The browser tests are skipped: install Chrome, Edge or Chromium to run them.');
  provide('browser', browser);
}

/** Unpacks npm's Chromium, with libraries that a machine may lack, unless a previous run has. */
function unpackedChromium(): Browser {
  const folder = resolve(`node_modules/.cache/chromium-${project.devDependencies['@sparticuz/chromium']}`);
  if (!existsSync(folder)) {
    mkdirSync(resolve('node_modules/.cache'), { recursive: true });
    const unpacking = mkdtempSync(`${folder}-`);
    const script = join(import.meta.dirname, 'unpack-chromium.ts');
    execFileSync(process.execPath, [script], { env: { ...process.env, TMPDIR: unpacking } });
    try {
      renameSync(unpacking, folder);
    } catch (error) {
      // Another run may have been faster.
      if (!existsSync(folder)) throw error;
      rmSync(unpacking, { recursive: true });
    }
  }
  return {
    executablePath: join(folder, 'chromium'),
    args: ['--no-sandbox'],
    env: { ...process.env, LD_LIBRARY_PATH: join(folder, 'al2023/lib') },
  };
}

async function installedBrowser(): Promise<Browser | null> {
  for (const browser of installedBrowsers) {
    try {
      await (await chromium.launch(browser)).close();
      return browser;
    } catch {
      // It is not installed.
    }
  }
  return null;
}
