import { createServer } from 'node:http';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { listen } from '../../../infra/local/http/listen.ts';
import { stringifyJson } from '../../../shared/contract/json.ts';
import { exampleNewPet } from '../../../shared/pets/operations.ts';
import { apiKey, baseUrl } from '../../support/e2e/api-client.ts';
import { largestPages, readPages } from '../../support/e2e/pets.ts';
import { describeInBrowser, launchBrowser } from '../../support/local/launch-browser.ts';

/** A name of the attacker's that resolves to this machine. */
const rebound = 'pets.example';
const { origin, port } = new URL(baseUrl);

/** A page of another site. Being on this machine, it has at least the rights of one on the internet. */
const attacker = createServer((_request, response) => response.end('Free pets'));
const attackerPort = await listen(attacker);
let browser: Browser;

beforeAll(async () => {
  browser = await launchBrowser(`--host-resolver-rules=MAP ${rebound} 127.0.0.1`);
  return () => browser.close();
});
afterAll(() => attacker[Symbol.asyncDispose]());

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

describeInBrowser('the local API', () => {
  it.each([
    ['of another port', `http://127.0.0.1:${attackerPort}/`, origin],
    ['of another site', `http://localhost:${attackerPort}/`, origin],
    ['whose name was rebound to this machine', `http://${rebound}:${port}/`, ''],
  ])('is out of reach for a page %s', async (_title, url, target) => {
    const page = await browser.newPage();
    onTestFinished(() => page.close());
    await page.goto(url);

    const read = await attack(page, target);

    expect(read).toStrictEqual([]);
    expect(await page.content()).not.toContain(apiKey);
    const pets = (await readPages(`?${largestPages}`)).flatMap((page) => page.pets);
    expect(pets.filter(({ name }) => name === 'Forged')).toStrictEqual([]);
  });
});
