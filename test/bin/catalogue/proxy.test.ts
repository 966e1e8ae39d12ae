import { expect, it } from 'vitest';
import { startProxy } from '../../support/http/start-proxy.ts';
import { respond, startStubApi } from '../../support/http/stub-api.ts';
import { runCommand } from '../../support/local/command-process.ts';

it('an export calls the API through HTTP_PROXY', async () => {
  const stub = await startStubApi(respond(200, '[]'));
  const proxy = await startProxy(Number(new URL(stub.baseUrl).port));

  const environment = { HTTP_PROXY: proxy.url, BASE_URL: 'http://pets.example/v1', API_KEY: 'secret' };
  const exported = await runCommand('bin/export.ts', [], { environment });

  // A pet may get further fields.
  const stdout = expect.stringMatching(/^\ufeffid,name,categoryId,status(,\w+)*\n$/);
  expect(exported).toStrictEqual({ exitCode: 0, stdout, stderr: '' });
  expect(proxy.hosts).toStrictEqual(['pets.example:80']);
});
