import { NumberValue, type TranslateConfig } from '@aws-sdk/lib-dynamodb';

/** Returns a stored number exactly: an integer as a bigint, any other, which no field has, as its text. */
export const exactNumber = (text: string) => (/^-?\d+$/.test(text) ? BigInt(text) : new NumberValue(text));

export const exactNumbers = { unmarshallOptions: { wrapNumbers: exactNumber } } satisfies TranslateConfig;
