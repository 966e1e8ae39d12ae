/** Thrown where API Gateway itself responds, with the gateway response of a type, such as `THROTTLED`. */
export class GatewayRejection extends Error {
  readonly responseType: string;

  /** The reason is for the access log. */
  constructor(responseType: string, reason = '-') {
    super(reason);
    this.responseType = responseType;
  }
}
