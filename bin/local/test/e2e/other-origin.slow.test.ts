import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { body, createPath, path } from '../../../../test/support/contract/own-operations.ts';
import { apiKey, baseUrl, call } from '../../../../test/support/e2e/api-client.ts';
import { listen } from '../../../local-api/http/listen.ts';
import { describeInBrowser, launchBrowser } from '../support/launch-browser.ts';

/** A name of the attacker's that resolves to this machine. */
const rebound = 'pets.example';
const { origin, port } = new URL(baseUrl);

/** A page of another site. Being on this machine, it has at least the rights of one on the internet. */
const attacker = createServer((_request, response) => response.end('Free'));
const attackerPort = await listen(attacker);
let browser: Browser;

beforeAll(async () => {
  browser = await launchBrowser(`--host-resolver-rules=MAP ${rebound} 127.0.0.1`);
  return () => browser.close();
});
afterAll(() => attacker[Symbol.asyncDispose]());

const headers = { Authorization: `Bearer ${apiKey}` };

/** What a page could try. */
const attempts = (forged: object) => [
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
  { path: `/v1${path}`, method: 'GET', headers },
  { path: `/v1${createPath}`, method: 'POST', headers: { ...headers, ...forged }, body },
];

/** Lets a page try, and returns what it could read. */
const attack = (page: Page, target: string, forged: object): Promise<string[]> =>
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
    [target, attempts(forged)] as const,
  );

describeInBrowser('the local API', () => {
  it.each([
    ['of another site', `http://localhost:${attackerPort}/`, origin],
    ['whose name was rebound to this machine', `http://${rebound}:${port}/`, ''],
  ])('is out of reach for a page %s', async (_title, url, target) => {
    const page = await browser.newPage();
    onTestFinished(() => page.close());
    await page.goto(url);
    const forged = { 'Idempotency-Key': randomUUID() };

    const read = await attack(page, target, forged);

    expect(read).toStrictEqual([]);
    expect(await page.content()).not.toContain(apiKey);
    const attacked = await call('POST', createPath, { headers: forged, body });
    expect(attacked.headers).not.toHaveProperty('idempotency-replayed');
  });
});
