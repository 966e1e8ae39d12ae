import { once } from 'node:events';
import { it, onTestFinished } from 'vitest';
import { CommandProcess } from '../../support/local/command-process.ts';
import { ProjectCopy } from '../../support/local/project-copy.ts';

const listPets = 'functions/list-pets.ts';

// The tests of infra/local/lambda pause a function.
it('npm run dev -- --inspect prints where a debugger attaches to a function, and to its next version', async () => {
  const project = new ProjectCopy();
  const flags = ['--inspect', '--json', '--port', '0', '--pets', '1'];
  const dev = new CommandProcess('bin/local.ts', flags, { project: project.directory });
  onTestFinished(async () => {
    await dev.exit('SIGTERM');
    project.remove();
  });
  const listening = `^${listPets}: Debugger listening on (ws://127\\.0\\.0\\.1:\\d+/\\S+)\n`;

  await dev.printed('stdout', /^\{.+\}$/m);
  project.edit(listPets, /$/, '\nexport const isSaved = true;\n');
  const [, url = ''] = await dev.printed('stderr', new RegExp(`${listening}[^]*?${listening}`, 'm'));

  await once(new WebSocket(url), 'open');
  await dev.printed('stderr', /^Reloaded in [\d.]+ s: functions\/list-pets\.ts$/m);
});
