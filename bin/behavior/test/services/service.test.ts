import { afterEach, expect, it, vi } from 'vitest';
import { environmentAt } from '../../services/service.ts';

afterEach(() => vi.unstubAllEnvs());

it('gives the services no credentials of the shell', () => {
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
  vi.stubEnv('NPM_TOKEN', 'secret');

  const environment = environmentAt('/empty');

  expect(environment).toMatchObject({ HOME: '/empty', PATH: process.env['PATH'] });
  expect(Object.values(environment)).not.toContain('secret');
});
