/** In milliseconds. The limits nest, so a function sends a 503 before Lambda ends it. */
export const timeLimits = {
  /** The longest wait for a connection to DynamoDB, and the longest silence on it. */
  silence: 1000,
  /** For a DynamoDB call: its attempts, the pauses between them, and the whole response. */
  call: 3500,
  /** For the call during init, so a slow DynamoDB hardly slows init down. */
  warmUp: 300,
  /** Reserved for sending the response. */
  response: 500,
  /** For an invocation of a function, after which Lambda ends it. */
  function: 5000,
} as const;
