import { getBorderCharacters, table } from 'table';
import { printableLine } from '../../infra/local/text/printable.ts';
import type { ListedKey } from './key-state.ts';

/** The state of a key in words. */
export const stateText = ({ state }: ListedKey): string =>
  state === 'expiring' ? 'expiring within 14 days' : state;

const columns: Readonly<Record<string, (key: ListedKey) => string>> = {
  'KEY ID': ({ keyId }) => keyId,
  CLIENT: ({ client }) => client ?? '',
  CREATED: ({ created }) => created ?? '',
  EXPIRES: ({ expires, state }) => expires ?? (state === 'damaged' ? '' : 'never'),
  STATE: stateText,
  'ISSUED BY': ({ issuedBy }) => callerName(issuedBy),
  'REVOKED BY': ({ revokedBy }) => callerName(revokedBy),
  NOTE: ({ note }) => note ?? '',
};

/** Formats keys as aligned columns, one line per key. */
export function keyTable(keys: readonly ListedKey[]): string {
  const rows = keys.map((key) => Object.values(columns).map((textOf) => printableLine(textOf(key))));
  return table([Object.keys(columns), ...rows], {
    border: getBorderCharacters('void'),
    columnDefault: { paddingLeft: 0, paddingRight: 2 },
    drawHorizontalLine: () => false,
  }).trimEnd();
}

/** The part of an ARN that identifies a person: `user/alice`, `assumed-role/Operator/alice`. */
const callerName = (arn: string | null) => arn?.split(':').slice(5).join(':') ?? '';
