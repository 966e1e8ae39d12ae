import type { TranslateConfig } from '@aws-sdk/lib-dynamodb';

/** How the document client reads numbers: an integer as an exact bigint, a fraction, which no pet has, as a number. */
export const exactIntegers = {
  unmarshallOptions: { wrapNumbers: (text) => (/^-?\d+$/.test(text) ? BigInt(text) : Number(text)) },
} satisfies TranslateConfig;
