import { createServer } from 'node:http';
import type { Browser, Page } from 'playwright-core';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { listen } from '../../../infra/local/http/listen.ts';
import { stringifyJson } from '../../../shared/contract/json.ts';
import { exampleNewPet } from '../../../shared/contract/operations.ts';
import { apiKey, baseUrl } from '../../support/e2e/api-client.ts';
import { largestPages, readPages } from '../../support/e2e/pets.ts';
import { describeInBrowser, launchBrowser } from '../../support/local/launch-browser.ts';

/** A name of the attacker's that resolves to this machine. */
const rebound = 'pets.example';
const { origin, port } = new URL(baseUrl);

/** A page of another site. Being on this machine, it has at least the rights of one on the internet. */
const attacker = createServer((_request, response) => response.end('Free pets'));
let attackerPort: number;
let browser: Browser;

beforeAll(async () => {
  attackerPort = await listen(attacker);
  return () => attacker[Symbol.asyncDispose]();
});
beforeAll(async () => {
  browser = await launchBrowser(`--host-resolver-rules=MAP ${rebound} 127.0.0.1`);
  return () => browser.close();
});

async function open(url: string): Promise<Page> {
  const page = await browser.newPage();
  onTestFinished(() => page.close());
  await page.goto(url);
  return page;
}

const headers = { Authorization: `Bearer ${apiKey}` };

/** What a page could try. */
const attempts = [
  {
    path: '/_aws/',
    method: 'POST',
    headers: {
      Authorization: 'AWS4-HMAC-SHA256 Credential=operator/20261120/us-east-1/dynamodb/aws4_request',
      'Content-Type': 'application/x-amz-json-1.0',
      'X-Amz-Target': 'DynamoDB_20120810.ListTables',
    },
    body: '{}',
  },
  { path: '/', method: 'GET' },
  { path: '/v1/pets', method: 'GET', headers },
  { path: '/v1/pets', method: 'POST', headers, body: stringifyJson({ ...exampleNewPet, name: 'Forged' }) },
];

/** Lets a page try, and returns what it could read. */
const attack = (page: Page, target: string): Promise<string[]> =>
  page.evaluate(
    async ([base, requests]) => {
      const read = [];
      for (const { path, ...init } of requests) {
        const response = await fetch(`${base}${path}`, init).catch(() => undefined);
        const text = await response?.text();
        if (response?.ok) read.push(`${init.method} ${path}: ${response.status} ${text}`);
      }
      return read;
    },
    [target, attempts] as const,
  );

async function expectNothingForged(): Promise<void> {
  const pages = await readPages(`?${largestPages}`);

  expect(pages.flatMap(({ pets }) => pets).filter(({ name }) => name === 'Forged')).toStrictEqual([]);
}

describeInBrowser('the local API', () => {
  it.each(['127.0.0.1', 'localhost'])('is out of reach for a page of another origin at %s', async (host) => {
    const page = await open(`http://${host}:${attackerPort}/`);

    expect(await attack(page, origin)).toStrictEqual([]);
    await expectNothingForged();
  });

  it('is out of reach for a page whose name was rebound to this machine', async () => {
    const page = await open(`http://${rebound}:${port}/`);

    expect(await page.content()).not.toContain(apiKey);
    expect(await attack(page, '')).toStrictEqual([]);
    await expectNothingForged();
  });
});
