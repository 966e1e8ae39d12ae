import type { ResponseType } from './own-responses.ts';

/** Thrown when API Gateway itself responds, with a type of gateway response such as `THROTTLED`. */
export class GatewayRejection extends Error {
  readonly responseType: ResponseType;

  constructor(responseType: ResponseType) {
    super(responseType);
    this.responseType = responseType;
  }
}
