import { afterEach, describe, expect, it, vi } from 'vitest';
import { openStage } from '../../keys/stage.ts';
import { proxyEnvironment } from '../proxy.ts';
import { runCommand } from './support/command-process.ts';
import { startProxy } from './support/start-proxy.ts';
import { respond, startStubApi } from './support/stub-api.ts';

const names = ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'http_proxy', 'https_proxy', 'no_proxy'];

function stubProxies(environment: Readonly<Record<string, string>>): void {
  for (const name of names) vi.stubEnv(name, environment[name]);
}

afterEach(() => vi.unstubAllEnvs());

const proxy = 'http://proxy:3128';
const local = '127.0.0.1,localhost,[::1]';

describe('proxyEnvironment', () => {
  it.each([
    [{}, undefined],
    [{ HTTPS_PROXY: '', NO_PROXY: 'pets.example' }, undefined],
    [
      { HTTPS_PROXY: proxy, NO_PROXY: '*' },
      { HTTP_PROXY: '', HTTPS_PROXY: proxy, NO_PROXY: '*' },
    ],
    [{ HTTPS_PROXY: proxy }, { HTTP_PROXY: '', HTTPS_PROXY: proxy, NO_PROXY: `,${local}` }],
    [
      { http_proxy: proxy, HTTP_PROXY: 'http://capital', no_proxy: 'a.example, b.example' },
      { HTTP_PROXY: proxy, HTTPS_PROXY: '', NO_PROXY: `a.example, b.example,${local}` },
    ],
  ])('reads %j', (environment, expected) => {
    stubProxies(environment);

    expect(proxyEnvironment()).toEqual(expected);
  });

  it('rejects a proxy of another kind without quoting its password', () => {
    stubProxies({ HTTPS_PROXY: 'socks5://user:hunter2@proxy:1080' });

    expect(proxyEnvironment).toThrow(new Error('HTTPS_PROXY must be an http or https URL.'));
  });
});

describe('a command', () => {
  it('calls AWS through HTTPS_PROXY', async () => {
    // No TLS server listens there, so the call ends after the tunnel is open.
    const { baseUrl } = await startStubApi(respond(400, ''));
    const { hosts, url } = await startProxy(Number(new URL(baseUrl).port));
    stubProxies({ HTTPS_PROXY: url });
    for (const name of ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']) vi.stubEnv(name, 'test');
    vi.stubEnv('AWS_REGION', 'eu-west-1');
    vi.stubEnv('AWS_MAX_ATTEMPTS', '1');

    await expect(openStage({ stage: 'staging' })).rejects.toThrow();

    expect(hosts).toStrictEqual(['cloudformation.eu-west-1.amazonaws.com:443']);
  });

  it('reports a proxy of another kind in one line', async () => {
    const environment = { HTTPS_PROXY: 'socks5://proxy:1080' };
    const stderr = expect.stringMatching(/^error: HTTPS_PROXY must be an http or https URL\.\n/);

    expect(await runCommand('bin/keys/keys.ts', ['list'], { environment })).toMatchObject({
      exitCode: 1,
      stderr,
    });
  });
});
