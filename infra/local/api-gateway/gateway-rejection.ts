/** Thrown when API Gateway itself responds, with a type of gateway response such as `THROTTLED`. */
export class GatewayRejection extends Error {
  readonly responseType: string;

  /** The reason is for the access log. */
  constructor(responseType: string, reason = '-') {
    super(reason);
    this.responseType = responseType;
  }
}
