import { it } from 'vitest';
import { expectLittleTime, headerLength } from '../../../test/support/fuzz/hostile-text.ts';
import { isForeign } from '../../local-api/http/same-origin.ts';
import { printable } from '../printable.ts';

it('prints a hostile text in little time', () => {
  expectLittleTime(printable, headerLength, ['|\n', '|\u0007', '|\u{1f600}']);
});

it('compares a hostile host in little time', () => {
  const compare = (host: string) => isForeign({ method: 'GET', headers: { host: [host] } });

  expectLittleTime(compare, headerLength, ['localhost:|1', '|/', '|127.0.0.1:']);
});
