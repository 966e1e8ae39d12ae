import { accepted, rejected, testBorders } from '../support/infra/import-borders.ts';

testBorders([
  ['shared/tables', '../pets/pet.ts', rejected],
  ['shared/tables', '../kennels/kennel.ts', rejected],
  ['shared/http', '../service.ts', rejected],
  ['shared/kennels', '../../infra/planted.ts', rejected],
  ['shared/kennels', '../../bin/cli/planted.ts', rejected],
  ['functions', '../bin/cli/planted.ts', rejected],
  ['infra/service', '../../bin/cli/planted.ts', rejected],
  ['infra/service', '../../shared/pets/planted.ts', rejected],
  ['bin/keys', '../../shared/pets/planted.ts', rejected],
  ['bin/keys', './test/support/planted.ts', rejected],
  ['bin/local', 'aws-cdk-lib/aws-lambda', rejected],
  ['bin/local-api', '../local/planted.ts', rejected],
  ['bin/local-api/http', '../../../infra/planted.ts', rejected],
  ['bin/cli/calls', '../../../shared/pets/planted.ts', rejected],
  ['bin/cli/calls', '../../planted/planted.ts', rejected],
  ['shared/tables', '../http/planted.ts', accepted],
  ['shared/kennels', '../pets/operations.ts', accepted],
  ['bin/keys/test', './support/planted.ts', accepted],
  ['bin/local-api/http', '../../cli/printable.ts', accepted],
  ['bin/cli/calls', '../../../shared/contract/planted.ts', accepted],
]);
