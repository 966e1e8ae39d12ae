import { describe, expect, inject, it } from 'vitest';

const baseUrl = inject('baseUrl');

describe('authentication', () => {
  it('refuses a request without a key', async () => {
    const response = await fetch(`${baseUrl}/pets`);

    expect(response.status).toBe(401);
    expect(response.headers.get('WWW-Authenticate')).toBe('Bearer realm="pet-store"');
  });
});
