import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { OperationId, operations } from '../../shared/service.ts';
import type { Throttling } from '../settings/operation-settings.ts';

/** An operation with the function that serves it. */
export interface ApiRoute {
  readonly operation: (typeof operations)[OperationId];
  readonly throttling: Throttling;
  readonly handler: { readonly live: IFunction };
}
