import { readFileSync } from 'node:fs';
import { inspect } from 'node:util';
import { expect, it } from 'vitest';
import { pageGuide, referencePage } from '../../../infra/reference/page.ts';
import { stringifyJson } from '../../../shared/contract/json.ts';
import { exampleNewPet } from '../../../shared/contract/operations.ts';

const address = { baseUrl: 'https://pets.example/v1' };
const policyOf = (page: string) => /Content-Security-Policy"\s+content="([^"]+)"/.exec(page)?.[1] ?? '';

it('the page may run only its own scripts, and connect to nothing', async () => {
  expect(policyOf(await referencePage(address))).toMatch(
    /^default-src 'none'; script-src 'sha256-[^']{44}' 'sha256-[^']{44}'; .* connect-src 'none';/,
  );
});

it('the page may call its own origin if it has a key', async () => {
  expect(policyOf(await referencePage(address, 'a key'))).toContain("connect-src 'self';");
});

const guide = pageGuide({
  ...address,
  contact: { name: 'Pet Store partners', email: 'partners@pets.example' },
  fairUse: { perKey: 6000, perAddress: 12_000 },
});

it.each([
  'export BASE_URL=https://pets.example/v1',
  '  -d \'{"name":"Bella","categoryId":1}\'',
  "await api.createPet(\n  { name: 'Bella', categoryId: 1n },\n  'order-4711',\n);",
  '- 400 `invalid_body`: The body has a missing or invalid field.',
  'An API key can send 6,000 requests per minute, an IP address 12,000.',
  'The objective is that 99.9% of requests get no 5xx',
  'Contact Pet Store partners, partners@pets.example.',
  '### 1.0.0 (2026-11-20)\n\nThe first release.\n\n- `GET /pets`',
])('the guide has %j', (text) => {
  expect(guide).toContain(text);
});

it('the guide has the limit of each operation', () => {
  expect(guide).toMatch(/^\| `POST \/pets` \| \d+ \|$/m);
});

it('the guide names the operator unless the stage has a contact', () => {
  expect(pageGuide(address)).toContain('You get an API key from the operator of this API.');
});

it('the samples of the guide fit the column of the page without wrapping', () => {
  const samples = [...pageGuide(address).matchAll(/```\w+\n(.+?)```/gs)].map(([, sample = '']) => sample);

  expect(samples).toHaveLength(3);
  expect(samples.join('')).not.toMatch(/.{47}/);
});

it('the guide omits the changelog entries for operators', () => {
  expect(guide).not.toContain('alarms link to a runbook');
});

const newPet = { ...exampleNewPet, categoryId: 9223372036854775807n };

it.each([
  ['README.md', `-d '${stringifyJson(newPet)}'\n`],
  ['docs/client.md', `await api.createPet(${inspect(newPet)}, 'order-4711')`],
  ['requests.http', `\n\n${stringifyJson(newPet)}\n`],
])('the create sample of %s sends the example pet', (file, sample) => {
  expect(readFileSync(file, 'utf8')).toContain(sample);
});
