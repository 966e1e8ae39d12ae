import { expect, it } from 'vitest';
import { runCommand } from '../../cli/test/support/command-process.ts';
import { startProxy } from '../../cli/test/support/start-proxy.ts';
import { respond, startStubApi } from '../../cli/test/support/stub-api.ts';

it('an export calls the API through HTTP_PROXY', async () => {
  const stub = await startStubApi(respond(200, '[]'));
  const proxy = await startProxy(Number(new URL(stub.baseUrl).port));

  const environment = { HTTP_PROXY: proxy.url, BASE_URL: 'http://pets.example/v1', API_KEY: 'secret' };
  const exported = await runCommand('bin/catalogue/export.ts', [], { environment });

  // A pet may get further fields.
  const stdout = expect.stringMatching(/^\ufeffid,name,categoryId,status(,\w+)*\n$/);
  expect(exported).toStrictEqual({ exitCode: 0, stdout, stderr: '' });
  expect(proxy.hosts).toStrictEqual(['pets.example:80']);
});
