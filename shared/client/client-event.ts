/** What every event says: `callId` is the same for all attempts of a call, the first of which is 1. */
interface Attempt {
  readonly callId: string;
  readonly attempt: number;
  readonly method: string;
  readonly url: string;
}

/** A request is sent. */
export interface RequestEvent extends Attempt {
  readonly type: 'request';
}

/** A response has arrived as a whole. */
export interface ResponseEvent extends Attempt {
  readonly type: 'response';
  readonly status: number;
  /** The `x-amzn-RequestId`, to quote to the operator. */
  readonly requestId: string | undefined;
  /** Since the request of this attempt. */
  readonly milliseconds: number;
}

/** An attempt failed; after a wait, the next one follows. */
export interface RetryEvent extends Attempt {
  readonly type: 'retry';
  /** The HTTP status of the failed attempt, or 0 without a response. */
  readonly status: number;
  readonly waitMilliseconds: number;
}

/** What happens during a call. No event contains the API key or a body. */
export type ClientEvent = RequestEvent | ResponseEvent | RetryEvent;
