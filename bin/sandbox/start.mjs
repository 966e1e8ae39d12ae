#!/usr/bin/env node
// The command of the package: plain JavaScript, because any Node may start it.
import { readFileSync } from 'node:fs';

const { engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const oldest = Number.parseInt(engines.node.slice('>='.length), 10);
const { node } = process.versions;
if (Number.parseInt(node, 10) >= oldest) {
  await import('./run.mjs');
} else {
  console.error(
    `error: The sandbox needs Node ${oldest} or later, and this is Node ${node} (https://nodejs.org).`,
  );
  process.exitCode = 1;
}
