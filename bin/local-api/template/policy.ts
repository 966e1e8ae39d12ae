import * as v from 'valibot';

const OneOrMore = v.pipe(
  v.union([v.string(), v.array(v.string())]),
  v.transform((value) => [value].flat()),
);

/** A statement of a policy. Other forms (`Condition`, `NotAction`, …) are rejected, not ignored. */
export const Statement = v.strictObject({
  Sid: v.optional(v.string()),
  Effect: v.picklist(['Allow', 'Deny']),
  Action: OneOrMore,
  Resource: OneOrMore,
});
export type Statement = v.InferOutput<typeof Statement>;

export const PolicyDocument = v.strictObject({
  Version: v.literal('2012-10-17'),
  Statement: v.array(Statement),
});

/** Returns whether IAM allows an action on a resource: a statement allows and none denies it. */
export function isAllowed(statements: readonly Statement[], action: string, resource: string): boolean {
  const effects = statements
    .filter(
      ({ Action, Resource }) =>
        Action.some((pattern) => matches(pattern.toLowerCase(), action.toLowerCase())) &&
        Resource.some((pattern) => matches(pattern, resource)),
    )
    .map(({ Effect }) => Effect);
  return effects.includes('Allow') && !effects.includes('Deny');
}

/** Returns whether an IAM pattern matches a value: `*` is any text, `?` any character. */
export function matches(pattern: string, value: string): boolean {
  const source = pattern
    .split('*')
    .map((part) => part.split('?').map(RegExp.escape).join('.'))
    .join('.*');
  return new RegExp(`^${source}$`, 's').test(value);
}
