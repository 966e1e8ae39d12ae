/**
 * How long everything may take, in milliseconds. Each limit leaves time for what it is a part of, so that a client is
 * told 503 by the function itself before Lambda, and then API Gateway, cut it off.
 */
export const timeLimits = {
  /** To open a connection to DynamoDB. */
  connection: 1000,
  /** For an open connection to stay silent. */
  silence: 1000,
  /** For a call of DynamoDB: all of its attempts, the pauses between them, and the response to its last byte. */
  call: 3500,
  /** For the call that a function makes during init: init is never much slower for a slow DynamoDB. */
  warmUp: 300,
  /** What a handler keeps of the function's time to respond. */
  response: 500,
  /** For an invocation of a function, after which Lambda ends it. */
  function: 5000,
  /** For an integration, after which API Gateway responds 504: its default. */
  integration: 29_000,
} as const;

/** How often a call of DynamoDB is attempted. */
export const maxAttempts = 3;
