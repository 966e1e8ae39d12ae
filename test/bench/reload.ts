import { renameSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { awsEndpointPath } from '../../infra/local/aws-endpoint.ts';
import { ProjectCopy } from '../support/local/project-copy.ts';
import { spawnLocalApi } from '../support/local/spawn-local-api.ts';

// Measures how long npm run dev takes from a save to the first response that shows the change.

/** How often each kind of file is saved in each way. */
const rounds = 7;

/** Lets the check of the types end, which follows each reload. */
const restMs = 4000;

const project = new ProjectCopy();
process.once('exit', () => project.remove());
await using api = await spawnLocalApi(['--watch', '--pets', '1'], { project: project.directory });
const headers = { Authorization: `Bearer ${api.apiKey}` };
const listed = await fetch(`${api.baseUrl}/pets`, { headers });
const [{ id }] = JSON.parse(await listed.text());
const getPet = () => fetch(`${api.baseUrl}/pets/${id}`, { headers });

/** What to save, and how to see its effect. */
const kinds = {
  function: {
    file: 'functions/get-pet.ts',
    pattern: /jsonResponse<typeof getPet>\(200.*/,
    replacement: (mark: string) => `jsonResponse<typeof getPet>(200, { ...pet, name: '${mark}' }, {});`,
    effect: async () => (await getPet()).text(),
  },
  shared: {
    file: 'shared/http/api-handler.ts',
    pattern: /'Content-Type': 'application\/json',( 'X-Bench': '.*?',)?/,
    replacement: (mark: string) => `'Content-Type': 'application/json', 'X-Bench': '${mark}',`,
    effect: async () => (await getPet()).headers.get('X-Bench'),
  },
  stack: {
    file: 'infra/pet-store-stack.ts',
    pattern: /const outputs = \{.*/,
    replacement: (mark: string) => `const outputs = { Bench: '${mark}',`,
    effect: async () => {
      const response = await fetch(new URL(awsEndpointPath, api.baseUrl), {
        method: 'POST',
        headers: { Authorization: 'AWS4-HMAC-SHA256' },
        body: 'Action=DescribeStacks',
      });
      return response.text();
    },
  },
};

const ways = {
  'in place': (path: string, text: string) => writeFileSync(path, text),
  'by rename': (path: string, text: string) => {
    writeFileSync(`${path}~`, text);
    renameSync(`${path}~`, path);
  },
};

/** The last version responds until the new one has started: more requests would take the processor from it. */
const pollMs = 20;

let saves = 0;

/** Returns the milliseconds until a response shows what was saved. */
async function measure(kind: (typeof kinds)[keyof typeof kinds], save: (typeof ways)[keyof typeof ways]) {
  saves += 1;
  const mark = `save-${saves}.`;
  project.edit(kind.file, kind.pattern, kind.replacement(mark), save);
  const savedAt = performance.now();
  while (!(await kind.effect())?.includes(mark)) await pause(pollMs);
  return performance.now() - savedAt;
}

const median = (times: readonly number[]) =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;

const rows = [];
for (const [name, kind] of Object.entries(kinds)) {
  for (const [way, save] of Object.entries(ways)) {
    const times: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      await pause(restMs);
      times.push(await measure(kind, save));
    }
    rows.push({
      saved: `${name} ${way}`,
      'median ms': median(times).toFixed(0),
      'slowest ms': Math.max(...times).toFixed(0),
    });
  }
}
console.table(rows);
console.log(`Load of the machine: ${loadavg()[0]?.toFixed(1)}`);
