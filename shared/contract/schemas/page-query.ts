import * as v from 'valibot';

/** The bounds and the default of the page size. */
export const pageSize = { minimum: 1, maximum: 100, default: 20 } as const;

const limitMessage = `must be an integer from ${pageSize.minimum} to ${pageSize.maximum}`;

/** The maximum size of a page. */
export const Limit = v.pipe(
  v.number(),
  v.integer(limitMessage),
  v.minValue(pageSize.minimum, limitMessage),
  v.maxValue(pageSize.maximum, limitMessage),
  v.metadata({ format: 'int32' }),
);

/** A query parameter, which must have exactly one value. */
const single = v.pipe(
  v.array(v.string()),
  v.length(1, 'must be given at most once'),
  v.transform(([value = '']) => value),
);

/** The query parameters of every list: each is parsed from the list of its values in the request. */
export const pageParameters = {
  limit: v.optional(v.pipe(single, v.regex(/^\d+$/, limitMessage), v.transform(Number), Limit), [
    `${pageSize.default}`,
  ]),
  cursor: v.optional(single),
};

/** Returns a schema for a filter, which has its place in the parsed query, and so in cursors, if absent. */
export const filter = <const TSchema extends v.GenericSchema<string, string | bigint>>(schema: TSchema) =>
  v.optional(v.pipe(single, schema), () => undefined);
