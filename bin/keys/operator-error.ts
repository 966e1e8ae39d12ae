/** Something that the operator can put right; the message says how, in one line. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';
}
