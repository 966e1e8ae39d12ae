import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningApi, startLocalApi } from '../../support/local/local-process.ts';

describe('npm start -- --json --stage production --pets 0', () => {
  let api: RunningApi;

  beforeAll(async () => {
    api = await startLocalApi('--stage', 'production', '--pets', '0');
  });
  afterAll(() => api.process.exit('SIGTERM'));

  it('serves the stage without a pet, to a key of that stage', async () => {
    const response = await api.call('GET', '/pets');

    expect(api.apiKey).toMatch(/^petstore_production_[0-9A-Za-z]{38}$/);
    expect(response.status).toBe(200);
    expect(response.text).toBe('[]');
    expect(response.headers).not.toHaveProperty('link');
  });

  it('writes the access log to standard error', async () => {
    const { headers } = await api.call('GET', '/pets/12');

    const requestId = headers['x-amzn-requestid'] ?? '';
    const [line] = await api.process.printed('stderr', new RegExp(`^.*${requestId}.*$`, 'm'));
    expect(JSON.parse(line)).toMatchObject({
      requestId,
      client: 'local',
      method: 'GET',
      path: '/pets/{petId}',
      status: 404,
    });
  });

  it('prints one line on standard output, and never the key anywhere else', async () => {
    const { exitCode, stdout, stderr } = await api.process.exit('SIGINT');

    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^.+\n$/);
    expect(JSON.parse(stdout)).toStrictEqual({
      baseUrl: api.baseUrl,
      apiKey: api.apiKey,
      docsUrl: expect.stringMatching(/^http:/),
    });
    expect(stderr).not.toContain(api.apiKey);
  });
});
