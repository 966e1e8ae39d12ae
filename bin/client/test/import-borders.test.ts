import { accepted, rejected, testBorders } from '../../../test/support/infra/import-borders.ts';

testBorders([
  ['bin/client/package', '../../cli/planted.ts', rejected],
  ['bin/client/package', '../../../shared/http/planted.ts', rejected],
  ['bin/client/package', '../../../shared/paging/planted.ts', accepted],
  ['bin/client/package', '../../cli/calls/planted.ts', accepted],
]);
