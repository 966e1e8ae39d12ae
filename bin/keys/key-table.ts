import { getBorderCharacters, table } from 'table';
import { printableLine } from '../../infra/local/text/printable.ts';
import type { KeyState, ListedKey } from './key-state.ts';

/** What the state of a key is called. */
export const stateTexts: Readonly<Record<KeyState, string>> = {
  active: 'active',
  expiring: 'expiring within 14 days',
  expired: 'expired',
  revoked: 'revoked',
};

const head = ['KEY ID', 'CLIENT', 'CREATED', 'EXPIRES', 'STATE', 'ISSUED BY', 'REVOKED BY', 'NOTE'];

/** Keys as a table of columns alone, which other programs can read too. */
export function keyTable(keys: readonly ListedKey[]): string {
  const rows = keys.map((key) =>
    [
      key.keyId,
      key.client,
      key.created,
      key.expires ?? 'never',
      stateTexts[key.state],
      nameOf(key.issuedBy),
      nameOf(key.revokedBy),
      key.note ?? '',
    ].map(printableLine),
  );
  return table([head, ...rows], {
    border: getBorderCharacters('void'),
    columnDefault: { paddingLeft: 0, paddingRight: 2 },
    drawHorizontalLine: () => false,
  }).trimEnd();
}

/** What of an ARN tells one person from another: `user/alice`, `assumed-role/Operator/alice`. */
const nameOf = (arn: string | null) => arn?.split(':').slice(5).join(':') ?? '';
