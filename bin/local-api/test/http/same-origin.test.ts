import { expect, it } from 'vitest';
import { isForeign } from '../../http/same-origin.ts';

const request = ({ method = 'GET', ...headers }: Readonly<Record<string, string>>) => ({
  method,
  headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]])),
});

const host = '127.0.0.1:3000';
const link = { host, 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'document' };

it.each([
  {},
  { host: '[::1]:3000' },
  { host: 'localhost:8080', origin: 'http://localhost:8080' },
  { host, 'sec-fetch-site': 'same-origin' },
  { host, 'sec-fetch-site': 'none' },
  link,
])('isForeign accepts a request with %j', (headers) => {
  expect(isForeign(request(headers))).toBe(false);
});

it.each([
  { host: 'pets.example:3000', origin: 'http://pets.example:3000' },
  { host: 'pets.example.localhost:3000' },
  { host: '127.0.0.1:3000@pets.example' },
  { host: '' },
  { host, origin: 'http://127.0.0.1:3001' },
  { host, origin: 'http://localhost:3000' },
  { host, origin: `https://${host}` },
  { origin: 'http://undefined' },
  { host, 'sec-fetch-site': 'cross-site' },
  { host, 'sec-fetch-site': 'same-site' },
  { ...link, 'sec-fetch-dest': 'iframe' },
  { ...link, origin: 'https://pets.example' },
  // Like a posted form.
  { ...link, method: 'POST' },
])('isForeign rejects a request with %j', (headers) => {
  expect(isForeign(request(headers))).toBe(true);
});
