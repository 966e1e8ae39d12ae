import * as v from 'valibot';

/** A stored instant, in seconds since 1970, as DynamoDB's time to live wants it. */
export const StoredInstant = v.pipe(v.bigint(), v.transform(Number));

/**
 * Parses an item that the service has written itself.
 *
 * @throws {Error} naming the attributes, without their values, that are not as the service writes them: a defect
 */
export function parseItem<const TSchema extends v.GenericSchema>(
  schema: TSchema,
  item: unknown,
): v.InferOutput<TSchema> {
  const { success, output, issues } = v.safeParse(schema, item);
  if (success) return output;
  throw new Error(`A stored item has invalid ${issues.map((issue) => v.getDotPath(issue)).join(', ')}.`);
}
