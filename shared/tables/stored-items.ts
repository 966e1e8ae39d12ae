import * as v from 'valibot';

/** A stored instant, in seconds since 1970, as DynamoDB's time to live expects it. */
export const StoredInstant = v.pipe(v.bigint(), v.transform(Number));

/** Returns the current time as it is stored: in whole seconds since 1970. */
export const nowInSeconds = (): number => Math.floor(Date.now() / 1000);

/** Returns the names of the attributes that failed to parse, never their values. */
export const invalidAttributes = (issues: readonly v.BaseIssue<unknown>[]) =>
  [...new Set(issues.map((issue) => v.getDotPath(issue)))].join(', ');

/**
 * Parses an item that the service wrote itself.
 *
 * @throws {Error} naming the invalid attributes, without their values: a defect
 */
export function parseItem<const TSchema extends v.GenericSchema>(
  schema: TSchema,
  item: unknown,
): v.InferOutput<TSchema> {
  const { success, output, issues } = v.safeParse(schema, item);
  if (success) return output;
  throw new Error(`A stored item has invalid ${invalidAttributes(issues)}.`);
}
