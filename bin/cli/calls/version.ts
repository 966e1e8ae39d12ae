/** What `npm run client` fills in. */
declare const PACKAGE_VERSION: string | undefined;

/** The version of the package. */
export const version = typeof PACKAGE_VERSION === 'undefined' ? 'source' : PACKAGE_VERSION;
