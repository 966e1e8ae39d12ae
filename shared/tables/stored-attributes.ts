import * as v from 'valibot';

/** An item of a table, as DynamoDB has it: each attribute with its type, and yet to be parsed. */
export const Item = v.record(v.string(), v.unknown());
export type Item = Readonly<v.InferOutput<typeof Item>>;

/** A string attribute. */
export const StoredText = v.pipe(
  v.object({ S: v.string() }),
  v.transform(({ S }) => S),
);

/** An integer attribute, exact however large. */
export const StoredInteger = v.pipe(
  v.object({ N: v.pipe(v.string(), v.regex(/^-?\d+$/)) }),
  v.transform(({ N }) => BigInt(N)),
);

/** An attribute for an instant, in seconds since 1970, as DynamoDB's time to live wants it. */
export const StoredInstant = v.pipe(StoredInteger, v.transform(Number));

/**
 * Parses an item that the service has written itself.
 *
 * @throws {Error} naming the attributes, without their values, that are not as the service writes them: a defect
 */
export function parseItem<const TSchema extends v.GenericSchema>(
  schema: TSchema,
  item: Item,
): v.InferOutput<TSchema> {
  const { success, output, issues } = v.safeParse(schema, item);
  if (success) return output;
  throw new Error(`A stored item has invalid ${issues.map((issue) => v.getDotPath(issue)).join(', ')}.`);
}
