import { setTimeout as pause } from 'node:timers/promises';
import { awsEndpointPath } from '../../../bin/local-api/aws-endpoint.ts';
import { ProjectCopy } from '../../support/local/project-copy.ts';
import { spawnLocalApi } from '../../support/local/spawn-local-api.ts';
import { median } from './median.ts';

/** How often each kind of file is saved. */
const rounds = 7;

/** Lets the check of the types end, which follows each reload. */
const restMs = 4000;

/** The last version responds until the new one has started: more requests would take the processor from it. */
const pollMs = 20;

/** Prints how long npm run dev takes from a save to the first response that shows the change. */
export async function benchReloads(): Promise<void> {
  const project = new ProjectCopy();
  process.once('exit', () => project.remove());
  await using api = await spawnLocalApi(['--watch', '--pets', '1'], { project: project.directory });
  const headers = { Authorization: `Bearer ${api.apiKey}` };
  const listPets = () => fetch(`${api.baseUrl}/pets`, { headers });

  /** What to save, and how to see its effect. */
  const kinds = {
    function: {
      file: 'functions/list-pets.ts',
      pattern: /return respond\(.*/,
      replacement: (mark: string) => `return respond(items.map((pet) => ({ ...pet, name: '${mark}' })), {});`,
      effect: async () => (await listPets()).text(),
    },
    shared: {
      file: 'shared/http/serve.ts',
      pattern: /'Content-Type': 'application\/json',( 'X-Bench': '.*?',)?/,
      replacement: (mark: string) => `'Content-Type': 'application/json', 'X-Bench': '${mark}',`,
      effect: async () => (await listPets()).headers.get('X-Bench'),
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

  let saves = 0;
  const rows = [];
  for (const [saved, { file, pattern, replacement, effect }] of Object.entries(kinds)) {
    const times: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      await pause(restMs);
      saves += 1;
      const mark = `save-${saves}.`;
      project.edit(file, pattern, replacement(mark));
      const savedAt = performance.now();
      while (!(await effect())?.includes(mark)) await pause(pollMs);
      times.push(performance.now() - savedAt);
    }
    rows.push({
      saved,
      'median ms': median(times).toFixed(0),
      'slowest ms': Math.max(...times).toFixed(0),
    });
  }
  console.table(rows);
}
