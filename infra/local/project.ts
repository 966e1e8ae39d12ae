/** What the local API needs to know of the project that it serves. */
export interface Project {
  /** Its absolute path, with a separator at its end and without links. */
  readonly root: string;
  /** The types of resources that play no part in a response. Others are served, named or refused. */
  readonly ignoredTypes: RegExp;
  /** The files to edit, in messages. */
  readonly hints: {
    /** Where functions are allowed to call tables. */
    readonly permissions: string;
    /** What the local API serves of a template. */
    readonly resourceTypes: string;
  };
  /** The body of the 404 to a request of another origin. */
  readonly foreignBody: string;
  /** Whether a source, relative to the root, is the file of a function's handler. */
  readonly isHandler: (file: string) => boolean;
  /**
   * Returns the readable text of what a function logs; undefined for Node's own text, and an empty one for a line that
   * says nothing new.
   */
  readonly describeLog: (message: unknown) => string | undefined;
}
