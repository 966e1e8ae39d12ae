import type { TranslateConfig } from '@aws-sdk/lib-dynamodb';

/** Reads a stored number: an integer as an exact bigint, however large, and a fraction, which no pet has, as a number. */
export const exactNumber = (text: string) => (/^-?\d+$/.test(text) ? BigInt(text) : Number(text));

/** How the document client translates items. */
export const exactIntegers = { unmarshallOptions: { wrapNumbers: exactNumber } } satisfies TranslateConfig;
