import { stringifyJson } from '../../shared/contract/json.ts';
import { type Address, openApiDocument } from './document.ts';
import { referencePage } from './page.ts';

/** What writes the text of each file of a reference. Only the page takes a key. */
export const referenceFiles = {
  'index.html': referencePage,
  'openapi.json': (address: Address) => stringifyJson(openApiDocument(address), 2),
};
