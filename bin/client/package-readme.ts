/** Returns a document as the README of a package: the files in it have the package's version. */
export const packageReadme = (document: string, version: string): string =>
  document.replaceAll(/(-(?:client|sandbox)-)\d+\.\d+\.\d+(?=\.tgz)/g, `$1${version}`);
