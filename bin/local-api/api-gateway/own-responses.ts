/** A response of API Gateway itself, as far as a template declares it. */
export interface DeclaredResponse {
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/**
 * What API Gateway itself responds, by the type of response that the local API knows.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/supported-gateway-response-types.html
 */
const ownResponses = {
  ACCESS_DENIED: [403, 'User is not authorized to access this resource with an explicit deny'],
  AUTHORIZER_CONFIGURATION_ERROR: [500, null],
  // A function that fails, or whose result is malformed.
  DEFAULT_5XX: [502, 'Internal server error'],
  MISSING_AUTHENTICATION_TOKEN: [403, 'Missing Authentication Token'],
  REQUEST_TOO_LARGE: [413, 'Request Too Long'],
  THROTTLED: [429, 'Too Many Requests'],
  UNAUTHORIZED: [401, 'Unauthorized'],
  UNSUPPORTED_MEDIA_TYPE: [415, 'Unsupported Media Type'],
} as const satisfies Record<string, readonly [status: number, message: string | null]>;

export type ResponseType = keyof typeof ownResponses;

/**
 * Returns a response of API Gateway itself: what the template declares for its type, or else for all types of its
 * class, and what it does not declare as API Gateway has it.
 */
export function ownResponse(type: ResponseType, declared: ReadonlyMap<string, DeclaredResponse>) {
  const [ownStatus, message] = ownResponses[type];
  const ofClass = ownStatus < 500 ? 'DEFAULT_4XX' : 'DEFAULT_5XX';
  const { status, headers, body } = declared.get(type) ?? declared.get(ofClass) ?? {};
  return {
    status: status ?? ownStatus,
    headers: { 'Content-Type': 'application/json', ...headers },
    body: body ?? JSON.stringify({ message }),
  };
}

/** Thrown when API Gateway itself responds. */
export class GatewayRejection extends Error {
  readonly responseType: ResponseType;

  constructor(responseType: ResponseType) {
    super(responseType);
    this.responseType = responseType;
  }
}
