/** Filled in where the calls are packed. */
declare const PACKAGE_VERSION: string | undefined;

/** The version of the package. */
export const version = typeof PACKAGE_VERSION === 'undefined' ? 'source' : PACKAGE_VERSION;
