import type { TranslateConfig } from '@aws-sdk/lib-dynamodb';

/** Reads stored integers as exact bigints, and fractions, which no pet has, as numbers. */
export const exactIntegers = {
  unmarshallOptions: { wrapNumbers: (text) => (/^-?\d+$/.test(text) ? BigInt(text) : Number(text)) },
} satisfies TranslateConfig;
