import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { temporaryDirectory } from '../../../support/e2e/temporary-file.ts';

/** Returns an app that does something, after it has told its process id. */
function appThat(does: string) {
  const directory = temporaryDirectory(onTestFinished);
  const file = join(directory, 'app.mjs');
  const idFile = join(directory, 'id');
  const tellId = `import { writeFileSync } from 'node:fs';\nwriteFileSync(${JSON.stringify(idFile)}, \`\${process.pid}\`);\n`;
  writeFileSync(file, `${tellId}${does}`);
  /** Waits until the app runs. */
  const started = () => vi.waitFor(() => Number.parseInt(readFileSync(idFile, 'utf8'), 10), 20_000);
  return { file, started };
}

const endlessLoop = '(function search() {\n  for (;;);\n})();';

describe('the CDK app', () => {
  it('ends when the local API is killed, even in an endless loop', async () => {
    const app = appThat(endlessLoop);
    const module = pathToFileURL('infra/local/reload/run-app.ts').href;
    const script = `import { runApp } from '${module}'; await runApp([${JSON.stringify(app.file)}], { environment: {} });`;
    const localApi = spawn(process.execPath, ['--input-type=module', '--eval', script]);
    const id = await app.started();
    onTestFinished(() => {
      try {
        process.kill(id, 'SIGKILL');
      } catch {
        // It has ended.
      }
    });

    localApi.kill('SIGKILL');

    await vi.waitFor(() => expect(() => process.kill(id, 0)).toThrow('ESRCH'), 20_000);
  });
});
