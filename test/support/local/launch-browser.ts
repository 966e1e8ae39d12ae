import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import chromium, { inflate } from '@sparticuz/chromium';
import { type Browser, chromium as playwright } from 'playwright-core';

const libraries = fileURLToPath(new URL('../bin/al2023.tar.br', import.meta.resolve('@sparticuz/chromium')));

/** Launches the Chromium that npm has installed, with the libraries beside it, which a bare machine may not have. */
export async function launchBrowser(...args: readonly string[]): Promise<Browser> {
  const [executablePath, folder] = await Promise.all([chromium.executablePath(), inflate(libraries)]);
  return playwright.launch({
    executablePath,
    args: ['--no-sandbox', ...args],
    env: { ...process.env, LD_LIBRARY_PATH: join(folder, 'lib') },
  });
}
