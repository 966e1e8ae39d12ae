import * as v from 'valibot';
import { type Resource, readableId } from './template.ts';

const OneOrMore = v.pipe(
  v.unknown(),
  v.transform((value) => [value].flat()),
);
const RoleProperties = v.object({
  Policies: v.optional(
    v.array(
      v.object({
        PolicyDocument: v.object({
          Statement: v.array(v.object({ Action: OneOrMore, Resource: OneOrMore })),
        }),
      }),
    ),
    [],
  ),
});

/** What a role of a template allows, an action on a resource at a time. */
export function statementsOf({ Properties }: Resource) {
  return v
    .parse(RoleProperties, Properties)
    .Policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement)
    .flatMap(({ Action, Resource }) =>
      Action.flatMap((action) =>
        Resource.map((resource) => ({ Effect: 'Allow', Action: String(action), Resource: resource })),
      ),
    );
}

/** The policies of a role that allows just this. */
export const policiesOf = (Statement: readonly unknown[]) => [
  { PolicyName: 'function', PolicyDocument: { Version: '2012-10-17', Statement } },
];

/** The table that a statement is about, with its index: `TablesPets/index/byStatus`. */
export function nameOfResource(resource: unknown): string {
  const [, table = '', index = ''] =
    /"Fn::GetAtt":\["(\w+)","Arn"\](?:\},"(\/index\/\w+)")?/.exec(JSON.stringify(resource)) ?? [];
  return `${readableId(table)}${index}`;
}
