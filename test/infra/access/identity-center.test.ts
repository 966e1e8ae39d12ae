import { it } from 'vitest';
import { identityCenterOperators } from '../../../infra/access/identity-center.ts';
import { expectLittleTime } from '../../support/fuzz/hostile-text.ts';

it('finds the permission set of a hostile role in little time', () => {
  // The longest ARN has 2,048 characters.
  expectLittleTime(identityCenterOperators, 2048, ['|/AWSReservedSSO__', '/AWSReservedSSO_|_a']);
});
