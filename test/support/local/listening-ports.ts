import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';

const listening = '0A';

/** The TCP ports that a process listens on; undefined where the system doesn't tell. */
export function listeningPorts(pid: number): readonly number[] | undefined {
  const process = `/proc/${pid}`;
  if (!existsSync(`${process}/net/tcp`)) return undefined;

  const inodes = new Set(
    readdirSync(`${process}/fd`).map((fd) => /^socket:\[(\d+)\]$/.exec(linkAt(`${process}/fd/${fd}`))?.[1]),
  );
  const ports = ['tcp', 'tcp6'].flatMap((protocol) =>
    readFileSync(`${process}/net/${protocol}`, 'utf8')
      .split('\n')
      .slice(1)
      .map((line) => line.trim().split(/\s+/))
      .filter(([, , , state, , , , , , inode]) => state === listening && inodes.has(inode))
      .map(([, address = '']) => Number.parseInt(address.split(':')[1] ?? '', 16)),
  );
  return [...new Set(ports)];
}

/** A descriptor may be closed meanwhile. */
function linkAt(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}
