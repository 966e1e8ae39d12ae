import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { ProjectCopy } from '../cli/test/support/project-copy.ts';
import { spawnLocalApi } from '../local/test/support/spawn-local-api.ts';

/** Environments that are idle have ended by then. */
const restMs = 12_000;

const requests = 10_000;
const connections = 10;
const saves = 10;

/**
 * Prints the memory of the local API with all its processes: the sum of their proportional set sizes, which count
 * memory that processes share once. Only Linux tells them.
 */
export async function benchMemory(): Promise<void> {
  if (process.platform !== 'linux') throw new Error('Only Linux tells the memory that processes share.');
  console.table([
    { of: 'npm start, idle', 'MB at most': 120, ...(await ofStart(0)) },
    { of: `npm start, after ${requests} requests`, 'MB at most': 350, ...(await ofStart(requests)) },
    { of: `npm run dev, after ${saves} saves`, 'MB at most': 500, ...(await ofSaves()) },
  ]);
}

async function ofStart(count: number) {
  await using api = await spawnLocalApi(['--pets', '100']);
  if (count === 0) await pause(restMs);
  const headers = { Authorization: `Bearer ${api.apiKey}` };
  let sent = 0;
  const connect = async () => {
    while (sent < count) {
      sent += 1;
      await (await fetch(`${api.baseUrl}/pets?limit=20`, { headers })).bytes();
    }
  };
  await Promise.all(Array.from({ length: connections }, connect));
  return memory();
}

async function ofSaves() {
  const project = new ProjectCopy();
  process.once('exit', () => project.remove());
  await using _api = await spawnLocalApi(['--watch', '--pets', '1'], { project: project.directory });
  for (let save = 0; save < saves; save += 1) {
    // The functions and the stack read it.
    project.edit('shared/contract/error-table.ts', /$/, '\n');
    await pause(2000);
  }
  await pause(restMs);
  // The check of the types follows the last save.
  while (ownProcesses().some((id) => read(`/proc/${id}/cmdline`)?.includes('tsbuildinfo'))) await pause(1000);
  return memory();
}

/** Returns the memory of all processes that this one has started, in MB. */
function memory() {
  const sizes = ownProcesses().map((id) => {
    const [, kilobytes = '0'] = /^Pss:\s+(\d+)/m.exec(read(`/proc/${id}/smaps_rollup`) ?? '') ?? [];
    return Number(kilobytes) / 1000;
  });
  const total = sizes.reduce((sum, size) => sum + size, 0);
  return { MB: Math.round(total), processes: sizes.map(Math.round).join(' + ') };
}

function ownProcesses(): readonly string[] {
  const parents = new Map(
    readdirSync('/proc').flatMap((id) => {
      const status = read(`/proc/${id}/status`);
      return status === undefined ? [] : [[id, /^PPid:\s+(\d+)/m.exec(status)?.[1]] as const];
    }),
  );
  const isOurs = (id: string | undefined): boolean =>
    id !== undefined && (parents.get(id) === `${process.pid}` || isOurs(parents.get(id)));
  return [...parents.keys()].filter(isOurs);
}

/** A process may end meanwhile. */
function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
