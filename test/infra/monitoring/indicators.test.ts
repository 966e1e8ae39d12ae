import { expectTypeOf, it } from 'vitest';
import type { RequestCount } from '../../../infra/monitoring/indicators.ts';

it('knows the names of its counts', () => {
  expectTypeOf<'Denied' | 'Errors-createPet'>().toExtend<RequestCount>();
  // @ts-expect-error a typing mistake
  expectTypeOf<'Denyed'>().toExtend<RequestCount>();
  // @ts-expect-error an unknown operation
  expectTypeOf<'Errors-createPets'>().toExtend<RequestCount>();
});
