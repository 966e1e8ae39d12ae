import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Operation } from '../../../shared/contract/operation.ts';
import { createPet, getPet, operations } from '../../../shared/contract/operations.ts';
import { baseUrl, call } from '../../support/e2e/api-client.ts';
import { temporaryFile } from '../../support/e2e/temporary-file.ts';
import { issue } from '../../support/local/keys.ts';
import { launchBrowser } from '../../support/local/launch-browser.ts';

const axe = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');
const desktop = { width: 1280, height: 900 };
const phone = { width: 390, height: 844 };

// The page has 4 MB, which takes time on a busy machine.
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
  /** Errors and warnings of the page, and its requests to other servers. */
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
  // A section is rendered when it comes near the view.
  for (const operation of Object.values(operations)) await show(page, operation);
  return { page, faults };
}

/** Goes to an operation, and returns its section of the page. */
async function show(page: Page, { method, path, summary }: Operation): Promise<Locator> {
  const section = page.locator(`section[id$="/${method}${path}"]`);
  await page.getByRole('complementary').getByRole('link', { name: summary }).click();
  await section.getByRole('heading', { name: summary }).waitFor();
  return section;
}

/** Selects the language of the samples, and returns the one that creates a pet. */
async function sample(page: Page, language: string): Promise<string> {
  const section = await show(page, createPet);
  await section.getByTestId('client-picker').click();
  await page.getByRole('option', { name: language, exact: true }).click();
  return (await section.locator('.code-snippet pre').innerText()).replaceAll('\u00a0', ' ');
}

/** Opens the dialog that tries an operation. */
async function openTryOut(page: Page, operation: Operation): Promise<Locator> {
  const section = await show(page, operation);
  await section.getByRole('button', { name: 'Test Request' }).click();
  return page.getByRole('dialog');
}

/** Sends the request of a dialog, and returns the response that it shows. */
async function send(dialog: Locator): Promise<{ status: string; body: string }> {
  await dialog.getByRole('button', { name: /^Send/ }).first().click();
  const response = dialog.getByRole('region', { name: 'Response' });
  const status = await response.getByRole('link', { name: /^\d{3} / }).innerText();
  return { status, body: await response.locator('.cm-content').innerText() };
}

/** Texts with less contrast than WCAG requires at level AA. */
function faintTexts(page: Page): Promise<unknown> {
  return page.evaluate(`${axe}; axe.run({ runOnly: 'color-contrast', resultTypes: ['violations'] }).then(({ violations }) =>
    violations.flatMap(({ nodes }) => nodes.map(({ html, failureSummary }) => html + failureSummary)))`);
}

/** Elements that are cut off at the right: the page itself, buttons and samples. */
function clipped(page: Page): Promise<unknown> {
  return page.evaluate(`[...document.querySelectorAll('html, button, pre')]
    .filter((element) => element.checkVisibility())
    .filter((element) => element.scrollWidth > innerWidth || element.getBoundingClientRect().right > innerWidth)
    .map((element) => element.outerHTML)`);
}

describe('the reference of the local API', () => {
  let light: Opened;
  beforeAll(async () => {
    light = await open(docsUrl, await browser.newContext({ viewport: desktop }));
  });

  it('shows every operation on at most two screens', async () => {
    const { page } = light;

    for (const operation of Object.values(operations)) {
      const section = await show(page, operation);
      const { height = Number.NaN } = (await section.boundingBox()) ?? {};

      expect(height, operation.operationId).toBeLessThanOrEqual(2 * desktop.height);
      expect(await section.getByRole('button', { name: 'Test Request' }).count()).toBe(1);
    }
    expect(await page.locator('body').getAttribute('class')).toBe('light-mode');
    expect(await faintTexts(page)).toStrictEqual([]);
  });

  it.each(['Curl', 'Requests'])('has a %s sample with an Idempotency-Key', async (language) => {
    expect(await sample(light.page, language)).toContain('order-4711');
  });

  it('has a TypeScript sample that runs as it is', async () => {
    const file = temporaryFile('sample.ts');
    const typescript = await sample(light.page, 'TypeScript');
    writeFileSync(
      file,
      typescript.replace("'pet-store-client'", `'${resolve('shared/client/pet-store-client.ts')}'`),
    );
    // With a client of its own: the README uses the same Idempotency-Key.
    const { key } = await issue(Number(new URL(baseUrl).port), 'sample');

    const { stdout } = await promisify(execFile)(process.execPath, [file], { env: { API_KEY: key } });

    expect(stdout).toContain("name: 'Bella',");
  });

  it('creates a pet with every digit of its categoryId', async () => {
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

  it('fits a phone, follows a dark system, gets the example pet', async () => {
    const { page, faults } = await open(
      docsUrl,
      await browser.newContext({ viewport: desktop, colorScheme: 'dark' }),
    );

    const dialog = await openTryOut(page, getPet);
    const { status } = await send(dialog);
    const faint = await faintTexts(page);
    await page.setViewportSize(phone);
    const clippedInDialog = await clipped(page);
    await dialog.getByRole('button', { name: 'Close Client' }).click();

    expect(await page.locator('body').getAttribute('class')).toBe('dark-mode');
    expect(status).toBe('200 OK');
    expect(faint).toStrictEqual([]);
    expect([await clipped(page), clippedInDialog]).toStrictEqual([[], []]);
    expect(faults).toStrictEqual([]);
  });
});

describe('npm run docs', () => {
  it.each([
    [
      ['--stage', 'staging'],
      'staging has no domain in infra/settings/stages.ts: pass --base-url, or add the domain there.',
    ],
    [
      ['--base-url', 'https://pets.example/v1', '--out', 'docs'],
      'docs has other files: pass --out with a new or empty directory.',
    ],
  ])('rejects %j', (flags, message) => {
    const { status, stderr } = spawnSync(process.execPath, ['bin/docs.ts', ...flags], { encoding: 'utf8' });

    expect(stderr).toBe(`error: ${message}\n`);
    expect(status).toBe(1);
  });

  it('writes a read-only page that works from the file system', async () => {
    const directory = dirname(temporaryFile('index.html'));
    const flags = ['--base-url', 'https://pets.example/v1', '--out', directory];
    execFileSync(process.execPath, ['bin/docs.ts', ...flags]);

    const { page, faults } = await open(
      pathToFileURL(join(directory, 'index.html')).href,
      await browser.newContext({ viewport: desktop }),
    );

    const files = readdirSync(directory).map((name) => readFileSync(join(directory, name), 'utf8'));
    expect(files.some((text) => /petstore_[a-z]+_\w{38}/.test(text))).toBe(false);
    expect(await page.getByText('https://pets.example/v1', { exact: true }).count()).toBe(1);
    expect(await page.getByRole('button', { name: 'Test Request' }).count()).toBe(0);
    expect(faults).toStrictEqual([]);
  });
});
