import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest';
import { listKeys } from '../../../bin/keys/commands.ts';
import { openStage } from '../../../bin/keys/stage.ts';
import { listen } from '../../../infra/local/http/listen.ts';
import { apiKeyHash, generateApiKey } from '../../../shared/contract/api-key.ts';
import { stringifyJson } from '../../../shared/contract/json.ts';
import { exampleNewPet } from '../../../shared/contract/operations.ts';
import { apiKey, baseUrl } from '../../support/e2e/api-client.ts';
import { readPages } from '../../support/e2e/pets.ts';
import { launchBrowser } from '../../support/local/launch-browser.ts';

/** A name of the attacker's that leads to this machine. */
const rebound = 'pets.example';

const { origin, port } = new URL(baseUrl);
const apiPort = Number(port);
const ports = listeningPorts();
let browser: Browser;
let keysTable: string;

/** A page of another site, which is on this machine as well: so it has the same rights as one on the internet, or more. */
const attacker = createServer((_request, response) => {
  response.setHeader('Content-Type', 'text/html').end('<!doctype html><title>Free pets</title>');
});
let attackerPort: number;

beforeAll(async () => {
  [browser, attackerPort] = await Promise.all([
    launchBrowser(`--host-resolver-rules=MAP ${rebound} 127.0.0.1`),
    listen(attacker),
  ]);
  const { headers, body } = describeStacks;
  const described = await fetch(`${origin}/_aws/`, { method: 'POST', headers, body });
  keysTable = /[\w-]+ApiKeys\w+(?=<)/.exec(await described.text())?.[0] ?? '';
  expect(keysTable).toMatch(/^PetStore-staging-/);
}, 120_000);
afterAll(async () => {
  await browser.close();
  await attacker[Symbol.asyncDispose]();
});

/** The TCP ports that the local API listens on, where the system tells. */
function listeningPorts(): readonly number[] {
  const process = `/proc/${inject('localApi').pid}`;
  const { stdout } = spawnSync('ls', ['-l', `${process}/fd`], { encoding: 'utf8' });
  const inodes = new Set([...stdout.matchAll(/socket:\[(\d+)\]/g)].map(([, inode]) => inode));
  if (inodes.size === 0) return [apiPort];
  const sockets = ['tcp', 'tcp6'].map((name) => readFileSync(`${process}/net/${name}`, 'utf8')).join('');
  return [...sockets.matchAll(/:(\w{4}) \w+:0000 0A (?:\S+ +){5}(\d+)/g)]
    .filter(([, , inode]) => inodes.has(inode))
    .map(([, port = '']) => Number.parseInt(port, 16));
}

async function open(url: string): Promise<Page> {
  const page = await browser.newPage();
  onTestFinished(() => page.close());
  await page.goto(url);
  return page;
}

const forgedKey = generateApiKey('staging');

const asOperator = {
  'X-Amz-Date': '20261120T000000Z',
  Authorization:
    'AWS4-HMAC-SHA256 Credential=operator/20261120/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0',
};
const describeStacks = {
  headers: { ...asOperator, 'Content-Type': 'application/x-www-form-urlencoded' },
  body: 'Action=DescribeStacks&Version=2010-05-15',
};

/** What a page may try, in the ways that browsers let it. */
function attempts() {
  const call = (operation: string, input: object) => ({
    headers: {
      ...asOperator,
      'Content-Type': 'application/x-amz-json-1.0',
      'X-Amz-Target': `DynamoDB_20120810.${operation}`,
    },
    body: JSON.stringify(input),
  });
  const Item = { keyHash: { S: apiKeyHash(forgedKey) }, client: { S: 'forged' }, createdAt: { N: '1' } };
  const put = call('PutItem', { TableName: keysTable, Item });
  const text = { headers: { 'Content-Type': 'text/plain' }, body: put.body };
  const headers = { Authorization: `Bearer ${apiKey}` };
  const posts = [call('Scan', { TableName: keysTable }), put, describeStacks, text];
  return [
    ...posts.map((post) => ({ path: '/_aws/', method: 'POST', ...post })),
    { path: '/_aws/', method: 'POST', mode: 'no-cors' as const, ...text },
    { path: '/', method: 'GET' },
    { path: '/openapi.json', method: 'GET' },
    { path: '/v1/pets', method: 'GET', headers },
    { path: '/v1/pets', method: 'POST', headers, body: stringifyJson({ ...exampleNewPet, name: 'Forged' }) },
    { path: '/v1/pets', method: 'OPTIONS' },
  ];
}

/** Lets a page try, and gives what it could read. */
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
    [target, attempts()] as const,
  );

/** Expects nothing to be there that was not there before. */
async function expectNoChange(): Promise<void> {
  const keys = await listKeys(await openStage({ stage: 'local', port: apiPort }), {});
  const pages = await readPages('?limit=100');

  expect(keys.map(({ client }) => client)).not.toContain('forged');
  expect(pages.flatMap(({ pets }) => pets).filter(({ name }) => name === 'Forged')).toStrictEqual([]);
}

describe('the local API', () => {
  it('listens on the one port that it names', () => {
    expect(ports).toStrictEqual([apiPort]);
  });

  it.each(['127.0.0.1', 'localhost'])(
    'lets a page of another origin at %s neither read nor write',
    async (host) => {
      const page = await open(`http://${host}:${attackerPort}/`);

      const read = [];
      for (const port of ports) {
        for (const target of ['127.0.0.1', 'localhost'])
          read.push(...(await attack(page, `http://${target}:${port}`)));
      }

      expect(read).toStrictEqual([]);
      await expectNoChange();
    },
  );

  it('lets a page whose name was made to lead here neither read nor write', async () => {
    for (const port of ports) {
      const page = await open(`http://${rebound}:${port}/`);

      expect(await page.content()).not.toContain(apiKey);
      expect(await attack(page, '')).toStrictEqual([]);
    }
    await expectNoChange();
  });

  it('shows the reference to who follows a link from elsewhere, and in no frame', async () => {
    const page = await open(`http://127.0.0.1:${attackerPort}/`);
    const reference = `${origin}/`;

    await page.setContent(`<iframe src="${reference}"></iframe><a href="${reference}">Reference</a>`);
    await page.waitForFunction('frames.length === 1');
    const [, frame] = page.frames();
    await frame?.waitForLoadState();
    const framed = await frame?.content();
    await page.click('a');
    await page.waitForURL(reference);

    expect(framed).not.toContain('petstore_');
    expect(await page.content()).toContain(apiKey);
  });
});
