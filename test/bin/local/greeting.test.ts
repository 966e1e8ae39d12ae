import { expect, it } from 'vitest';
import { greeting } from '../../../bin/local/greeting.ts';

const api = { baseUrl: 'http://127.0.0.1:3000/v1', apiKey: 'key', docsUrl: 'http://127.0.0.1:3000/' };
const newPet = `'{"name":"Bella","categoryId":1}'`;

// PowerShell drops quotes in arguments.
it.each([
  [
    false,
    '  export BASE_URL=http://127.0.0.1:3000/v1',
    `  curl -i "$BASE_URL/pets" -H "Authorization: Bearer $API_KEY" -H 'Content-Type: application/json' -d ${newPet}`,
  ],
  [
    true,
    "  $env:BASE_URL='http://127.0.0.1:3000/v1'",
    `  ${newPet} | curl.exe -i "$env:BASE_URL/pets" -H "Authorization: Bearer $env:API_KEY" -H 'Content-Type: application/json' -d '@-'`,
  ],
])('the greeting has commands for the shell (PowerShell: %s)', (isPowerShell, set, create) => {
  const lines = greeting(api, isPowerShell).split('\n');

  expect([lines[2], lines[8]]).toStrictEqual([set, create]);
});
