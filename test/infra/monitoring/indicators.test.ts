import { expectTypeOf, it } from 'vitest';
import type { RequestCount } from '../../../infra/monitoring/indicators.ts';
import type { OperationId } from '../../../shared/service.ts';

it('knows the names of its counts', () => {
  expectTypeOf<'Denied' | `Errors-${OperationId}`>().toExtend<RequestCount>();
  // @ts-expect-error a typing mistake
  expectTypeOf<'Denyed'>().toExtend<RequestCount>();
  // @ts-expect-error an unknown operation
  expectTypeOf<'Errors-nothing'>().toExtend<RequestCount>();
});
