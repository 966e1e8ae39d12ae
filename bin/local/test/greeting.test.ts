import { expect, it } from 'vitest';
import { greeting } from '../greeting.ts';

const api = { baseUrl: 'http://127.0.0.1:3000/v1', apiKey: 'key', docsUrl: 'http://127.0.0.1:3000/' };
const calls = {
  title: 'List notes, and create one',
  list: '/notes?limit=5',
  create: { path: '/notes', body: '{"text":"Bella"}' },
};

it('the greeting has commands for a shell', () => {
  expect(greeting(api, false, calls)).toBe(`Pet Store is ready. To call it, in another terminal:

  export BASE_URL=http://127.0.0.1:3000/v1
  export API_KEY=key

List notes, and create one:

  curl -i "$BASE_URL/notes?limit=5" -H "Authorization: Bearer $API_KEY"
  curl -i "$BASE_URL/notes" -H "Authorization: Bearer $API_KEY" -H 'Content-Type: application/json' -d '{"text":"Bella"}'

Reference: http://127.0.0.1:3000/
`);
});

it('the greeting says where tables and key are kept, and how to start anew', () => {
  const text = greeting({ ...api, dataFile: '.local-data/staging-3000.sqlite' }, false);

  expect(text).toMatch(
    /\nKept for the next start, unless you add --fresh: \.local-data\/staging-3000\.sqlite\n$/,
  );
});

it('the greeting has commands for PowerShell, which drops quotes in arguments', () => {
  const lines = greeting(api, true, calls).split('\n');

  expect(lines[0]).toBe('Pet Store is ready. To call it, in another PowerShell:');
  expect(lines[2]).toBe("  $env:BASE_URL='http://127.0.0.1:3000/v1'");
  expect(lines[8]).toBe(
    `  '{"text":"Bella"}' | curl.exe -i "$env:BASE_URL/notes" -H "Authorization: Bearer $env:API_KEY" -H 'Content-Type: application/json' -d '@-'`,
  );
});
