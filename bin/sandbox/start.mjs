#!/usr/bin/env node
// The command of the package: plain JavaScript, because any Node may start it.
const { node } = process.versions;
if (Number.parseInt(node, 10) >= 24) {
  await import('./run.mjs');
} else {
  console.error(`error: The sandbox needs Node 24 or later, and this is Node ${node} (https://nodejs.org).`);
  process.exitCode = 1;
}
