import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { benchedFunctions } from './benched-functions.ts';
import { benches } from './benches.ts';
import { measureStart } from './measure-start.ts';

const longTimeLimits = new URL('./long-time-limits.mjs', import.meta.url).href;

it('the documents name all benches, and no others', () => {
  const text = globSync(['*.md', 'docs/*.md'])
    .map((path) => readFileSync(path, 'utf8'))
    .join();
  const named = Array.from(text.matchAll(/npm run bench -- ([\w-]+)/g), ([, name]) => name);

  // `npm run bench` alone is about cold starts.
  expect([...new Set([...named, 'cold-starts'])].toSorted()).toEqual(Object.keys(benches).toSorted());
});

it('the init of each benched function takes one call', async () => {
  await using benched = await benchedFunctions();

  const requests = [];
  for (const { name, deployed } of benched.functions) {
    // On a busy machine, the call during init could exceed its time limit before it is sent.
    const execArgv = [...deployed.execArgv, '--import', longTimeLimits];
    requests.push([name, (await measureStart({ ...deployed, execArgv })).requests]);
  }

  expect(Object.fromEntries(requests)).toEqual({
    'get-pet': 1,
    'list-pets': 1,
    'create-pet': 1,
    authorizer: 1,
  });
});
