/** A mistake in the sources. The message is for their author, on several lines. */
export class SourceError extends Error {}
