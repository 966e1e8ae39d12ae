import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { close, listen } from '../../../infra/local/listen.ts';
import { petOf } from '../../support/e2e/pets.ts';
import { launchBrowser } from '../../support/local/launch-browser.ts';
import { type RunningApi, startLocalApi } from '../../support/local/local-process.ts';

let browser: Browser;
let api: RunningApi;
let docsUrl: string;

beforeAll(async () => {
  [browser, api] = await Promise.all([launchBrowser(), startLocalApi('--pets', '0')]);
  const [ready] = await api.process.printed('stdout', /^.*\n/);
  ({ docsUrl } = JSON.parse(ready));
});
afterAll(async () => {
  await browser.close();
  await api.process.exit('SIGTERM');
});

/** A page that shows the reference. */
interface Opened {
  readonly page: Page;
  /** What the page complains of, and what it asks other servers for. */
  readonly faults: readonly string[];
}

async function open(url: string, options: BrowserContextOptions = {}): Promise<Opened> {
  const context = await browser.newContext(options);
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(`${error}`));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) faults.push(message.text());
  });
  page.on('request', (request) => {
    const { protocol, origin } = new URL(request.url());
    if (protocol !== 'data:' && origin !== new URL(url).origin) faults.push(request.url());
  });

  await page.goto(url);
  await page.locator('#operations-pets-getPet').waitFor();
  return { page, faults };
}

/** A colour as CSS computes it, from 0 for black to 255 for white. */
function brightness(color: string): number {
  const [red = 0, green = 0, blue = 0] = (color.match(/\d+/g) ?? []).map(Number);
  return (red + green + blue) / 3;
}

describe('the reference of the local API', () => {
  it('lists the operations, getPet marked as deprecated, and asks no other server for anything', async () => {
    const { page, faults } = await open(docsUrl);

    const operations = await page.locator('.opblock').evaluateAll((blocks) => blocks.map(({ id }) => id));
    const deprecated = await page
      .locator('.opblock-deprecated')
      .evaluateAll((blocks) => blocks.map(({ id }) => id));

    expect(operations).toStrictEqual([
      'operations-pets-listPets',
      'operations-pets-createPet',
      'operations-pets-getPet',
    ]);
    expect(deprecated).toStrictEqual(['operations-pets-getPet']);
    expect(faults).toStrictEqual([]);
  });

  it('creates a pet with the key that it has already', async () => {
    const { page, faults } = await open(docsUrl);
    const createPet = page.locator('#operations-pets-createPet');

    await createPet.locator('button.opblock-summary-control').click();
    await createPet.locator('button.execute').click();
    const answer = createPet.locator('.live-responses-table .response');
    const status = await answer.locator('.response-col_status').textContent();
    const body = await answer.locator('.highlight-code').first().textContent();

    const [, id = ''] = /"id": (\d+)/.exec(body ?? '') ?? [];
    const got = await api.call('GET', `/pets/${id}`);
    expect(status).toMatch(/^201/);
    expect(petOf(got)).toStrictEqual({ id: Number(id), name: 'Bella', categoryId: 1, status: 'available' });
    expect(faults).toStrictEqual([]);
  });

  it('fits on a phone', async () => {
    const { page, faults } = await open(docsUrl, { viewport: { width: 390, height: 844 }, isMobile: true });

    const createPet = page.locator('#operations-pets-createPet');

    await createPet.locator('button.opblock-summary-control').click();
    await createPet.locator('button.execute').click();
    await createPet.locator('.live-responses-table .response').waitFor();

    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
    expect(faults).toStrictEqual([]);
  });

  it.each([
    ['dark', true, 'rgb(28, 32, 34)'],
    ['light', false, 'rgba(0, 0, 0, 0)'],
  ] as const)('is %s where the machine is', async (colorScheme, isDark, background) => {
    const { page, faults } = await open(docsUrl, { colorScheme });

    const classes = await page.locator('html').getAttribute('class');
    const body = await page.evaluate('getComputedStyle(document.body).backgroundColor');
    const title = await page.evaluate("getComputedStyle(document.querySelector('.title')).color");

    expect(classes).toBe(isDark ? 'dark-mode' : null);
    expect(body).toBe(background);
    expect(brightness(String(title)) > 128).toBe(isDark);
    expect(faults).toStrictEqual([]);
  });
});

describe('npm run docs', () => {
  const directory = mkdtempSync(join(tmpdir(), 'pet-store-test-'));
  const contentTypes: Readonly<Record<string, string>> = {
    html: 'text/html',
    css: 'text/css',
    js: 'text/javascript',
    json: 'application/json',
    png: 'image/png',
  };
  const files = createServer(({ url = '' }, response) => {
    const name = url === '/' ? 'index.html' : url.slice(1);
    response.setHeader('Content-Type', contentTypes[name.split('.').at(-1) ?? ''] ?? '');
    response.end(readFileSync(join(directory, name)));
  });
  let filesUrl: string;

  beforeAll(async () => {
    execFileSync(process.execPath, ['bin/docs.ts', '--out', directory]);
    filesUrl = `http://127.0.0.1:${await listen(files)}/`;
  });
  afterAll(async () => {
    await close(files);
    rmSync(directory, { recursive: true });
  });

  it('writes files without a key', () => {
    const names = readdirSync(directory);

    const withKey = names.filter((name) => readFileSync(join(directory, name)).includes('petstore_'));
    expect(names).toContain('index.html');
    expect(withKey).toStrictEqual([]);
  });

  it('writes a page to read, not to try', async () => {
    const { page, faults } = await open(filesUrl);

    await page.locator('#operations-pets-createPet button.opblock-summary-control').click();
    await page.locator('#operations-pets-createPet .responses-wrapper').waitFor();

    expect(await page.locator('.opblock').count()).toBe(3);
    expect(await page.locator('button.execute').count()).toBe(0);
    expect(faults).toStrictEqual([]);
  });
});
