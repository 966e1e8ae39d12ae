/** Thrown when API Gateway itself responds, with a type of gateway response such as `THROTTLED`. */
export class GatewayRejection extends Error {
  readonly responseType: string;

  constructor(responseType: string) {
    super(responseType);
    this.responseType = responseType;
  }
}
