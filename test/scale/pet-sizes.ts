import { stringifyJson } from '../../shared/contract/json.ts';
import { itemSize } from '../support/dynamodb/capacity-units.ts';

/** The longest name: 255 characters of four bytes. */
export const longestName = '\u{1F436}'.repeat(255);

/** The id and the category that take most bytes. */
const id = 2n ** 53n - 1n;
const categoryId = -(2n ** 63n);

/** The bytes of a stored pet. */
const storedBytes = (name: string) =>
  itemSize({
    id: { N: `${id}` },
    name: { S: name },
    categoryId: { N: `${categoryId}` },
    status: { S: 'available' },
    digest: { B: Buffer.alloc(32).toString('base64') },
  });

/** The bytes of a stored pet with a name of 25 bytes. */
export const petBytes = storedBytes('x'.repeat(25));

/** The most bytes that a name can have in a pet that takes one write unit. */
export const longestNameOfOneUnit = 1024 - storedBytes('');

export const longestPet = {
  nameBytes: Buffer.byteLength(longestName),
  bytes: storedBytes(longestName),
  /** The bytes of a response with the pet. */
  responseBytes: Buffer.byteLength(stringifyJson({ id, name: longestName, categoryId, status: 'available' })),
} as const;
