import { spawn } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { ProjectCopy } from '../cli/test/support/project-copy.ts';
import { spawnLocalApi } from '../local/test/support/spawn-local-api.ts';
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
    'a handler': {
      file: 'functions/list-pets.ts',
      pattern: /return respond\(.*/,
      replacement: (mark: string) => `return respond(items.map((pet) => ({ ...pet, name: '${mark}' })), {});`,
      effect: async () => (await listPets()).text(),
    },
    'shared by handlers only': {
      file: 'shared/http/serve.ts',
      pattern: /'Content-Type': 'application\/json',( 'X-Bench': '.*?',)?/,
      replacement: (mark: string) => `'Content-Type': 'application/json', 'X-Bench': '${mark}',`,
      effect: async () => (await listPets()).headers.get('X-Bench'),
    },
    // The handlers read it, too.
    'read by the stack': {
      file: 'shared/contract/error-table.ts',
      pattern: /(?<=not_found: \{[^}]*message: )'.*'/,
      replacement: (mark: string) => `'${mark}'`,
      effect: async () => (await fetch(`${api.baseUrl}/nothing`)).text(),
    },
  };

  let saves = 0;
  async function timeOf({ file, pattern, replacement, effect }: (typeof kinds)[keyof typeof kinds]) {
    await pause(restMs);
    saves += 1;
    const mark = `save-${saves}.`;
    project.edit(file, pattern, replacement(mark));
    const savedAt = performance.now();
    while (!(await effect())?.includes(mark)) await pause(pollMs);
    return performance.now() - savedAt;
  }

  // All functions are running, as after an hour of work.
  await fetch(`${api.baseUrl}/pets/1`, { headers });
  for (const isBusy of [false, true]) {
    const busy = isBusy ? spawn(process.execPath, ['--eval', 'for (;;);']) : undefined;
    const times = Object.entries(kinds).map(([saved, kind]) => ({ saved, kind, ms: [] as number[] }));
    // In turn, because the machine may become slower meanwhile.
    for (let round = 0; round < rounds; round += 1) {
      for (const { kind, ms } of times) ms.push(await timeOf(kind));
    }
    busy?.kill();
    console.log(isBusy ? 'Beside a busy process:' : 'With nothing beside it:');
    console.table(
      times.map(({ saved, ms }) => ({
        saved,
        'median ms': median(ms).toFixed(0),
        'slowest ms': Math.max(...ms).toFixed(0),
      })),
    );
  }
}
