import { describe, expect, it } from 'vitest';
import { stateOf, toListedKey } from '../../../bin/keys/key-state.ts';
import { keyTable } from '../../../bin/keys/key-table.ts';
import type { StoredApiKey } from '../../../shared/tables/api-keys-table.ts';

const now = Date.parse('2026-11-20T12:00:00Z') / 1000;
const day = 24 * 60 * 60;

const key: StoredApiKey = { keyHash: '0123456789abcdef', client: 'acme', createdAt: now - 30 * day };

describe('the state of a key', () => {
  it.each([
    ['active', 'never expires', {}],
    ['active', 'expires in more than 14 days', { expiresAt: now + 14 * day + 1 }],
    ['expiring', 'expires in 14 days', { expiresAt: now + 14 * day }],
    ['expiring', 'expires in a second', { expiresAt: now + 1 }],
    ['expired', 'expires now', { expiresAt: now }],
    ['revoked', 'was revoked before it expired', { revokedAt: now - 2 * day, expiresAt: now - day }],
  ])('is %s for one that %s', (state, _title, ends) => {
    expect(stateOf({ ...key, ...ends }, now)).toBe(state);
  });
});

const issuedBy = 'arn:aws:sts::123456789012:assumed-role/Operator/alice';

describe('a listed key', () => {
  it('has its times in ISO 8601, and nothing of the hash but the keyId', () => {
    expect(toListedKey({ ...key, expiresAt: now + day, note: 'till', issuedBy }, now)).toStrictEqual({
      keyId: '0123456789ab',
      client: 'acme',
      created: '2026-10-21T12:00:00Z',
      expires: '2026-11-21T12:00:00Z',
      state: 'expiring',
      note: 'till',
      revoked: null,
      issuedBy,
      rotatedBy: null,
      revokedBy: null,
    });
  });
});

describe('the table of keys', () => {
  it('has a line for each, which no note can forge', () => {
    const forged = 'x\n0123456789ab  globex\u001b[2J';

    const lines = keyTable([toListedKey({ ...key, note: forged, issuedBy }, now)]).split('\n');

    expect(lines.map((line) => line.trimEnd())).toStrictEqual([
      'KEY ID        CLIENT  CREATED               EXPIRES  STATE   ISSUED BY                    REVOKED BY  NOTE',
      '0123456789ab  acme    2026-10-21T12:00:00Z  never    active  assumed-role/Operator/alice              x\\u000a0123456789ab  globex\\u001b[2J',
    ]);
  });
});
