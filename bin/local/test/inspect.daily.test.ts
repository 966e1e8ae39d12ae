import { once } from 'node:events';
import { it, onTestFinished } from 'vitest';
import { ProjectCopy } from '../../cli/test/support/project-copy.ts';
import { spawnLocalApi } from './support/spawn-local-api.ts';

const listPets = 'functions/list-pets.ts';

// The tests of bin/local-api/lambda pause a function.
it('npm run dev -- --inspect prints where a debugger attaches to a function, and to its next version', async () => {
  const project = new ProjectCopy();
  onTestFinished(() => project.remove());
  await using dev = await spawnLocalApi(['--inspect', '--pets', '1'], { project: project.directory });
  const listening = `^${listPets}: Debugger listening on (ws://127\\.0\\.0\\.1:\\d+/\\S+)\n`;

  project.edit(listPets, /$/, '\nexport const isSaved = true;\n');
  const [, url = ''] = await dev.local.printed('stderr', new RegExp(`${listening}[^]*?${listening}`, 'm'));

  await once(new WebSocket(url), 'open');
  await dev.local.printed('stderr', /^Reloaded in [\d.]+ s: functions\/list-pets\.ts$/m);
});
