import type { TranslateConfig } from '@aws-sdk/lib-dynamodb';

/** How the document client translates items: a number is an exact bigint, however large. */
export const exactIntegers = { unmarshallOptions: { wrapNumbers: BigInt } } satisfies TranslateConfig;
