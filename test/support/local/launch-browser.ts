import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import chromium, { inflate } from '@sparticuz/chromium';
import { type Browser, chromium as playwright } from 'playwright-core';

const libraries = fileURLToPath(new URL('../bin/al2023.tar.br', import.meta.resolve('@sparticuz/chromium')));

/** Launches npm's Chromium with libraries that a machine may lack; systems other than Linux use Chrome. */
export async function launchBrowser(...args: readonly string[]): Promise<Browser> {
  if (process.platform !== 'linux') return playwright.launch({ channel: 'chrome', args: [...args] });
  const [executablePath, folder] = await unpacked();
  return playwright.launch({
    executablePath,
    args: ['--no-sandbox', ...args],
    env: { ...process.env, LD_LIBRARY_PATH: join(folder, 'lib') },
  });
}

/** Unpacks it into this user's directory: in the system's temporary one, other users could replace it. */
async function unpacked(): Promise<readonly [executablePath: string, folder: string]> {
  const { TMPDIR } = process.env;
  process.env['TMPDIR'] = resolve('node_modules/.cache/chromium');
  try {
    mkdirSync(process.env['TMPDIR'], { recursive: true, mode: 0o700 });
    return await Promise.all([chromium.executablePath(), inflate(libraries)]);
  } finally {
    if (TMPDIR === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = TMPDIR;
  }
}
