import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { body } from '../../../test/support/contract/own-operations.ts';
import { referencePage } from '../page.ts';
import { clientChanges, pageGuide } from '../page-guide.ts';

const address = { baseUrl: 'https://pets.example/v1' };
const policyOf = (page: string) => /Content-Security-Policy"\s+content="([^"]+)"/.exec(page)?.[1] ?? '';

it('the page may run only its own scripts, and connect to nothing', () => {
  expect(policyOf(referencePage(address))).toMatch(
    /^default-src 'none'; script-src 'sha256-[^']{44}' 'sha256-[^']{44}'; .* connect-src 'none';/,
  );
});

it('the page may call its own origin if it has a key', () => {
  expect(policyOf(referencePage(address, 'a key'))).toContain("connect-src 'self';");
});

const guide = pageGuide({
  ...address,
  contact: { name: 'Pet Store partners', email: 'partners@pets.example' },
  fairUse: { perKey: 6000, perAddress: 12_000 },
  objectives: { errorBudget: 0.0005, slowBudget: 0.01, slowAfterMilliseconds: 1000 },
});

it.each([
  'export BASE_URL=https://pets.example/v1',
  `  -d '${body}'`,
  '- 401 `unauthorized`: A valid API key is required: send it as "Authorization: Bearer &lt;API key>".',
  '- 415 `unsupported_media_type`: The body must be sent as application/json.',
  'An API key can send 6,000 requests per minute, an IP address 12,000.',
  'The objective is that 99.95% of requests get no 5xx',
  'Contact Pet Store partners, partners@pets.example, who also announces incidents and removals.',
])('the guide has %j', (text) => {
  expect(guide).toContain(text);
});

it('the guide names the operator unless the stage has a contact', () => {
  expect(pageGuide(address)).toContain('You get an API key from the operator of this API.');
});

it('the page weighs less than 2 MB, on servers that do not compress it, too', () => {
  expect(Buffer.byteLength(referencePage(address))).toBeLessThan(2_000_000);
});

it('the page with a key says that the terminal has it', () => {
  const page = referencePage(address, 'a key');

  expect(page).toContain('The API key is printed in the terminal');
  expect(page).not.toContain('You get an API key from');
});

it('the samples of the guide fit the column of the page without wrapping', () => {
  const samples = [...pageGuide(address).matchAll(/```\w+\n(.+?)```/gs)].map(([, sample = '']) => sample);

  expect(samples).not.toEqual([]);
  expect(samples.join('')).not.toMatch(/.{47}/);
});

it('the part of the changelog for clients has each release, without the entries for operators', () => {
  const newest =
    '## 1.1.0 (2027-01-15)\n\n### For clients\n\n- A field.\n\n### For operators\n\n- An alarm.\n';
  const first = '## 1.0.0 (2026-11-20)\n\nThe first release.\n\n### For clients\n\n- Three operations.\n';

  const changes = clientChanges(`# Changelog\n\n${newest}\n${first}`);

  expect(changes).toBe(
    '### 1.1.0 (2027-01-15)\n\n\n- A field.\n\n### 1.0.0 (2026-11-20)\n\nThe first release.\n\n\n- Three operations.\n',
  );
  expect(guide).toContain(`## Changelog\n\n${clientChanges(readFileSync('CHANGELOG.md', 'utf8'))}`);
});
