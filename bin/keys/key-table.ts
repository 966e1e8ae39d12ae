import { getBorderCharacters, table } from 'table';
import { printableLine } from '../cli/printable.ts';
import type { ListedKey } from './key-state.ts';

const header = ['KEY ID', 'CLIENT', 'CREATED', 'EXPIRES', 'STATE', 'ISSUED BY', 'REVOKED BY', 'NOTE'];

export function keyTable(keys: readonly ListedKey[]): string {
  const rows = keys.map((key) => {
    const expires = key.expires ?? (key.state === 'damaged' ? '' : 'never');
    const callers = [callerName(key.issuedBy), callerName(key.revokedBy)];
    return [key.keyId, key.client, key.created, expires, key.state, ...callers, key.note];
  });
  const cells = rows.map((row) => row.map((cell) => printableLine(cell ?? '')));
  return table([header, ...cells], {
    border: getBorderCharacters('void'),
    columnDefault: { paddingLeft: 0, paddingRight: 2 },
    drawHorizontalLine: () => false,
  }).trimEnd();
}

/** Returns the part of an ARN that identifies a person: `user/alice`, `assumed-role/Operator/alice`. */
const callerName = (arn: string | null) => arn?.split(':').slice(5).join(':');
