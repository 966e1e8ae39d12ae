import { execFile, execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Operation } from '../../../shared/contract/operation.ts';
import { createPet, getPet, operations } from '../../../shared/contract/operations.ts';
import { temporaryFile } from '../../support/catalogue/temporary-file.ts';
import { baseUrl, call } from '../../support/e2e/api-client.ts';
import { issue } from '../../support/local/keys.ts';
import { launchBrowser } from '../../support/local/launch-browser.ts';

const axe = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');
const desktop = { width: 1280, height: 900 };
const phone = { width: 390, height: 844 };

// The page's script has 4 MB, and a busy machine takes its time.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const docsUrl = new URL('/', baseUrl).href;
let browser: Browser;

beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

/** A page that shows the reference. */
interface Opened {
  readonly page: Page;
  /** What the page complains of, and what it asks other servers for. */
  readonly faults: readonly string[];
}

async function open(url: string, context: BrowserContext): Promise<Opened> {
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
  // A section is made when it comes near the view.
  for (const operation of Object.values(operations)) await show(page, operation);
  return { page, faults };
}

/** Brings an operation into view, and gives its section of the page. */
async function show(page: Page, { method, path, summary }: Operation): Promise<Locator> {
  const section = page.locator(`section[id$="/${method}${path}"]`);
  await section.scrollIntoViewIfNeeded();
  await section.getByRole('heading', { name: summary }).waitFor();
  return section;
}

/** Opens the dialog that tries an operation. */
async function openTryOut(page: Page, operation: Operation): Promise<Locator> {
  const section = await show(page, operation);
  await section.getByRole('button', { name: 'Test Request' }).click();
  return page.getByRole('dialog');
}

/** Sends the request of a dialog, and gives what it shows of the response. */
async function send(dialog: Locator): Promise<{ status: string; body: string }> {
  await dialog.getByRole('button', { name: /^Send/ }).first().click();
  const response = dialog.getByRole('region', { name: 'Response' });
  const status = await response.getByRole('link', { name: /^\d{3} / }).innerText();
  return { status, body: await response.locator('.cm-content').innerText() };
}

/** The texts with less contrast than WCAG asks for at level AA. */
function faintTexts(page: Page): Promise<unknown> {
  return page.evaluate(`${axe}; axe.run({ runOnly: 'color-contrast' }).then(({ violations }) =>
    violations.flatMap(({ nodes }) => nodes.map(({ html, failureSummary }) => html + failureSummary)))`);
}

/** What is cut off at the right: the page itself, a button, or a line of a sample. */
function clipped(page: Page): Promise<unknown> {
  return page.evaluate(`[...document.querySelectorAll('html, button, .code-snippet pre')]
    .filter((element) => element.checkVisibility())
    .filter((element) => element.scrollWidth > innerWidth || element.getBoundingClientRect().right > innerWidth)
    .map((element) => element.outerHTML)`);
}

describe('the reference of the local API', () => {
  let light: Opened;
  beforeAll(async () => {
    light = await open(docsUrl, await browser.newContext({ viewport: desktop }));
  });

  it('is light where the machine is, with a navigation to every operation, each of at most two screens and to be tried', async () => {
    const { page } = light;

    for (const operation of Object.values(operations)) {
      await page.getByRole('complementary').getByRole('link', { name: operation.summary }).click();
      const section = await show(page, operation);
      const { height = Number.NaN } = (await section.boundingBox()) ?? {};

      expect(height, operation.operationId).toBeLessThanOrEqual(2 * desktop.height);
      expect(await section.getByRole('button', { name: 'Test Request' }).count()).toBe(1);
    }
    expect(await page.locator('body').getAttribute('class')).toBe('light-mode');
    expect(await faintTexts(page)).toStrictEqual([]);
  });

  it('has samples in curl and TypeScript, which run as they are', async () => {
    const { page } = light;
    const section = await show(page, createPet);

    const curl = await section.locator('.code-snippet').innerText();
    await section.getByRole('button', { name: 'curl' }).click();
    await page.getByRole('option', { name: 'TypeScript' }).click();
    const typescript = (await section.locator('pre').first().innerText()).replaceAll('\u00a0', ' ');
    const file = temporaryFile('sample.ts');
    writeFileSync(file, typescript.replace("'./shared", `'${resolve('shared')}`));
    // Of a client of its own: the README has the same Idempotency-Key.
    const { key } = await issue(Number(new URL(baseUrl).port), 'sample');
    const { stdout } = await promisify(execFile)(process.execPath, [file], { env: { API_KEY: key } });

    expect(curl).toContain(`curl -i '${baseUrl}/pets'`);
    expect(stdout).toContain("name: 'Bella',");
  });

  it('creates a pet with the key that it has already, keeps every digit, and asks no other server for anything', async () => {
    const dialog = await openTryOut(light.page, createPet);

    const newPet = '{"name":"Bella","categoryId":9223372036854775807}';
    const editor = dialog.getByRole('textbox').filter({ hasText: 'Bella' });
    await vi.waitFor(async () => {
      await editor.fill(newPet);
      expect(await editor.innerText()).toBe(newPet);
    });
    const { status, body } = await send(dialog);
    await dialog.getByRole('button', { name: 'Close Client' }).click();

    const [, id] = /"id": (\d+)/.exec(body) ?? [];
    const { text } = await call('GET', `/pets/${id}`);
    expect(status, body).toBe('201 Created');
    expect(body).toContain('"categoryId": 9223372036854775807');
    expect(text).toContain('"categoryId":9223372036854775807');
    expect(light.faults).toStrictEqual([]);
  });

  it('is dark where the machine is, with enough contrast, gets a pet by the id that it suggests, and fits on a phone', async () => {
    const { page, faults } = await open(
      docsUrl,
      await browser.newContext({ viewport: desktop, colorScheme: 'dark' }),
    );

    const faint = await faintTexts(page);
    const dialog = await openTryOut(page, getPet);
    const { status } = await send(dialog);
    const faintInDialog = await faintTexts(page);
    await page.setViewportSize(phone);
    const clippedInDialog = await clipped(page);
    await dialog.getByRole('button', { name: 'Close Client' }).click();

    expect(await page.locator('body').getAttribute('class')).toBe('dark-mode');
    expect(status).toBe('200 OK');
    expect([faint, faintInDialog]).toStrictEqual([[], []]);
    expect([await clipped(page), clippedInDialog]).toStrictEqual([[], []]);
    expect(faults).toStrictEqual([]);
  });
});

it('npm run docs writes a page to read, not to try, and no key', async () => {
  const directory = dirname(temporaryFile('index.html'));
  execFileSync(process.execPath, ['bin/docs.ts', '--out', directory]);
  const url = 'http://docs.example/';
  const context = await browser.newContext({ viewport: desktop });
  await context.route(`${url}**`, (route) =>
    route.fulfill({
      path: join(directory, new URL(route.request().url()).pathname.slice(1) || 'index.html'),
    }),
  );

  const { page, faults } = await open(url, context);

  const files = readdirSync(directory).map((name) => readFileSync(join(directory, name), 'utf8'));
  expect(files.filter((text) => text.includes('petstore_'))).toStrictEqual([]);
  expect(await page.getByRole('button', { name: 'Test Request' }).count()).toBe(0);
  expect(faults).toStrictEqual([]);
});
