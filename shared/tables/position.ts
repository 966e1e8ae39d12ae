import type { NumberValue } from '@aws-sdk/lib-dynamodb';
import { invalidCursor } from '../contract/schemas/page-cursor.ts';
import { exactNumber } from '../lambda/exact-numbers.ts';
import type { Item } from './stored-item.ts';
import { type Key, maxKeyBytes } from './table-definitions.ts';

/** A value of a key attribute. */
export type KeyValue = string | bigint | NumberValue;

// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html#limits-data-types
const maxDigits = 38;
/** The exponents of the first digits of the least and the greatest number. */
const exponents = { minimum: -130, maximum: 125 };

/** A number as DynamoDB may write it. None that it stores has more than 170 characters. */
const numberPattern = /^-?(\d{1,170})(?:\.(\d{1,170}))?(?:[eE]([+-]?\d{1,3}))?$/;

/** Returns the text of a position: the values of the key attributes that `partition` does not give. */
export const encodePosition = (keys: readonly Key[], partition: object, item: Item): string =>
  namesOf(keys, partition)
    .map((name) => `${item[name]}`.replaceAll('%', '%25').replaceAll(',', '%2C'))
    .join();

/**
 * Returns the key attributes from which DynamoDB can start, checked so that it can only reject them if
 * something else is wrong.
 *
 * @throws {ApiError} `invalid_query` if no item can be at the position
 */
export function decodePosition(
  keys: readonly Key[],
  partition: Readonly<Record<string, KeyValue>>,
  position: string,
): Readonly<Record<string, KeyValue>> {
  const names = namesOf(keys, partition);
  const texts = position.split(',').map((text) => text.replaceAll('%2C', ',').replaceAll('%25', '%'));
  if (texts.length !== names.length) throw invalidCursor();
  const values = names.map((name, index) => [name, keyValue(keys, name, texts[index] ?? '')]);
  return { ...partition, ...Object.fromEntries(values) };
}

/** Returns the names of the attributes in any of the keys but those that `partition` gives. */
const namesOf = (keys: readonly Key[], partition: object) =>
  [...new Set(keys.flatMap(Object.keys))].filter((name) => !Object.hasOwn(partition, name));

function keyValue(keys: readonly Key[], name: string, text: string): KeyValue {
  if (keys.some((key) => key[name] === 'N')) {
    if (!isNumber(text)) throw invalidCursor();
    return exactNumber(text);
  }
  const isSortKey = keys.some((key) => Object.keys(key).indexOf(name) > 0);
  const bytes = Buffer.byteLength(text);
  if (bytes === 0 || bytes > (isSortKey ? maxKeyBytes.sort : maxKeyBytes.partition)) throw invalidCursor();
  return text;
}

/** Returns whether a text is a number that DynamoDB can store. */
function isNumber(text: string): boolean {
  const [, whole, fraction = '', exponent = '0'] = numberPattern.exec(text) ?? [];
  if (whole === undefined) return false;
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  if (digits === '') return true;
  const firstExponent = digits.length - 1 - fraction.length + Number(exponent);
  return (
    digits.replace(/0+$/, '').length <= maxDigits &&
    firstExponent >= exponents.minimum &&
    firstExponent <= exponents.maximum
  );
}
