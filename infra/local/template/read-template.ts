import * as v from 'valibot';
import { account } from './account.ts';
import { resolveIntrinsics, type Scope } from './intrinsics.ts';
import { attributes, ignoredTypes, references, supportedTypes } from './resource-types.ts';

type SupportedType = keyof typeof supportedTypes;
/** The properties of a type of resource, as they are served. */
export type Properties<T extends SupportedType> = v.InferOutput<(typeof supportedTypes)[T]>;

/** A resource of the template, its intrinsic functions resolved; `id` is what `Ref` gives. */
export interface Resource<T extends SupportedType> {
  readonly id: string;
  readonly arn: string;
  readonly properties: Properties<T>;
}

const Template = v.object({
  Outputs: v.optional(v.record(v.string(), v.object({ Value: v.unknown() })), {}),
  Resources: v.record(
    v.string(),
    v.strictObject({
      Type: v.string(),
      Properties: v.optional(v.record(v.string(), v.unknown()), {}),
      DependsOn: v.optional(v.unknown()),
      Metadata: v.optional(v.unknown()),
      DeletionPolicy: v.optional(v.unknown()),
      UpdatePolicy: v.optional(v.unknown()),
      UpdateReplacePolicy: v.optional(v.unknown()),
    }),
  ),
});

const pseudoParameters: Readonly<Record<string, string>> = {
  'AWS::AccountId': account.id,
  'AWS::Partition': account.partition,
  'AWS::Region': account.region,
  'AWS::URLSuffix': account.urlSuffix,
};

/**
 * Reads a synthesized template as CloudFormation would.
 *
 * @throws {Error} naming what the local API does not know: a type of resource, a property, an intrinsic function
 */
export function readTemplate(template: unknown, stackName: string) {
  const { Resources, Outputs } = v.parse(Template, template);

  const resource = (logicalId: string) => {
    const found = Resources[logicalId];
    if (!found) throw new Error(`The template refers to ${logicalId}, which it does not declare.`);
    return found;
  };
  const scope: Scope = {
    ref(name) {
      const pseudoParameter = pseudoParameters[name];
      if (pseudoParameter !== undefined) return pseudoParameter;
      const { Type, Properties } = resource(name);
      const given = references[Type]?.((property) => resolveIntrinsics(Properties[property], scope));
      return String(given ?? `${stackName}-${name}`);
    },
    getAtt(logicalId, attribute) {
      const name = `${resource(logicalId).Type}.${attribute}`;
      const value = attributes[name];
      if (!value) throw new Error(`The local API does not know the attribute ${name} of ${logicalId}.`);
      return value(scope.ref(logicalId));
    },
  };

  for (const [logicalId, { Type }] of Object.entries(Resources)) {
    if (!(Type in supportedTypes) && !ignoredTypes.test(Type)) {
      throw new Error(`The local API does not know the resource type ${Type} of ${logicalId}.`);
    }
  }

  return {
    resourcesOf: <T extends SupportedType>(type: T): Resource<T>[] =>
      Object.entries(Resources)
        .filter(([, { Type }]) => Type === type)
        .map(([logicalId, { Properties }]) => ({
          id: scope.ref(logicalId),
          arn: attributes[`${type}.Arn`]?.(scope.ref(logicalId)) ?? '',
          properties: parseProperties(type, logicalId, resolveIntrinsics(Properties, scope)),
        })),
    outputs: Object.fromEntries(
      Object.entries(Outputs).map(([name, { Value }]) => [name, String(resolveIntrinsics(Value, scope))]),
    ),
  };
}

function parseProperties<T extends SupportedType>(
  type: T,
  logicalId: string,
  properties: unknown,
): Properties<T> {
  const { success, output, issues } = v.safeParse(supportedTypes[type], properties);
  if (success) return output;
  const paths = issues.map((issue) => v.getDotPath(issue));
  throw new Error(
    `The local API does not know this form of ${paths.join(', ')} in the ${type} ${logicalId}.`,
  );
}
