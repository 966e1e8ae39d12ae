import { appendFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import '../all/resets.ts';
import { template } from './template.ts';

// Writes what the CDK would write, once the gate is open.

appendFileSync('syntheses', '.');
while (existsSync('gate')) await pause(20);

const { CDK_OUTDIR = '' } = process.env;
for (const name of ['greet', 'part']) {
  const directory = join(CDK_OUTDIR, `asset.${name}`);
  mkdirSync(directory);
  writeFileSync(join(directory, 'index.mjs'), '');
  writeFileSync(join(directory, 'index.mjs.map'), JSON.stringify({ sources: [`functions/${name}.ts`] }));
}
writeFileSync(join(CDK_OUTDIR, 'Live.template.json'), JSON.stringify(template));
writeFileSync(join(CDK_OUTDIR, 'manifest.json'), JSON.stringify({ artifacts: { Live: {} } }));
