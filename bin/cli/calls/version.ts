/** The version of the package, which `npm run client` fills in. */
export const version: string = 'source';
