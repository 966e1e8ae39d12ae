import { clientPackage } from '../../infra/settings/client-package.ts';
import project from '../../package.json' with { type: 'json' };

interface Packed {
  readonly name: string;
  readonly version: string;
}

/**
 * Returns a document as the README of a package that partners get: with the name that the client's package has,
 * and with the files of the version that is packed. In the documents, the client is called `pet-store-client`.
 */
export function packageReadme(
  document: string,
  { name, version }: Packed = { name: clientPackage, version: project.version },
): string {
  // As npm pack names the file.
  const file = name.replace('@', '').replace('/', '-');
  return document
    .replaceAll(/(?<![\w-])pet-store-client-\d+\.\d+\.\d+\.tgz/g, `${file}-${version}.tgz`)
    .replaceAll(/(?<![\w-])pet-store-sandbox-\d+\.\d+\.\d+\.tgz/g, `pet-store-sandbox-${version}.tgz`)
    .replaceAll(/(?<![\w@./-])pet-store-client(?![\w-])/g, name);
}
