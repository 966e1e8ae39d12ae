import { beforeEach, expect, it, vi } from 'vitest';
import { stateOf, toListedKey } from '../key-state.ts';
import { keyTable } from '../key-table.ts';

const now = Date.parse('2026-11-20T12:00:00Z') / 1000;
const day = 24 * 60 * 60;
const key = { keyHash: '0123456789abcdef', client: 'acme', createdAt: now - 30 * day, isDamaged: false };

beforeEach(() => {
  vi.useFakeTimers({ now: now * 1000, toFake: ['Date'] });
});

it.each([
  ['active', 'never expires', {}],
  ['active', 'expires in more than 14 days', { expiresAt: now + 14 * day + 1 }],
  ['expiring', 'expires in 14 days', { expiresAt: now + 14 * day }],
  ['expiring', 'expires in a second', { expiresAt: now + 1 }],
  ['expired', 'expires now', { expiresAt: now }],
  ['revoked', 'was revoked before it expired', { revokedAt: now - 2 * day, expiresAt: now - day }],
])('the state is %s for a key that %s', (state, _title, ends) => {
  expect(stateOf({ ...key, ...ends })).toBe(state);
});

it('the table has one line per key, which a note cannot forge', () => {
  const note = 'x\n0123456789ab  globex\u001b[2J';
  const issuedBy = 'arn:aws:sts::123456789012:assumed-role/Operator/alice';

  const lines = keyTable([toListedKey({ ...key, issuedBy, note })]).split('\n');

  expect(lines.map((line) => line.trimEnd())).toStrictEqual([
    'KEY ID        CLIENT  CREATED               EXPIRES  STATE   ISSUED BY                    REVOKED BY  NOTE',
    '0123456789ab  acme    2026-10-21T12:00:00Z  never    active  assumed-role/Operator/alice              x\\u000a0123456789ab  globex\\u001b[2J',
  ]);
});
