import * as v from 'valibot';
import { account } from './account.ts';
import { resolveIntrinsics, type Scope } from './intrinsics.ts';
import { attributes, ignoredTypes, references, supportedTypes } from './resource-types.ts';

type SupportedType = keyof typeof supportedTypes;

/** A resource of the template, its intrinsic functions resolved; `id` is what `Ref` returns. */
export interface Resource<T extends SupportedType> {
  readonly id: string;
  readonly properties: v.InferOutput<(typeof supportedTypes)[T]>;
}

const Template = v.object({
  Outputs: v.optional(v.record(v.string(), v.object({ Value: v.unknown() })), {}),
  Resources: v.record(
    v.string(),
    v.object({
      Type: v.string(),
      Properties: v.optional(v.record(v.string(), v.unknown()), {}),
      Condition: v.optional(v.never('The local API does not support conditions.')),
    }),
  ),
});

const pseudoParameters: Readonly<Record<string, string>> = {
  'AWS::AccountId': account.id,
  'AWS::Partition': 'aws',
  'AWS::Region': account.region,
  'AWS::URLSuffix': 'amazonaws.com',
};

/**
 * Reads a synthesized template as CloudFormation would.
 *
 * @throws {Error} naming an unsupported resource type, property or intrinsic function
 */
export function readTemplate(template: unknown, stackName: string) {
  const { Resources, Outputs } = v.parse(Template, template);
  for (const [logicalId, { Type }] of Object.entries(Resources)) {
    if (!(Type in supportedTypes) && !ignoredTypes.test(Type)) {
      throw new Error(`The local API does not support the resource type ${Type} of ${logicalId}.`);
    }
  }

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
      if (!value) throw new Error(`The local API does not support the attribute ${name} of ${logicalId}.`);
      return value(scope.ref(logicalId));
    },
  };

  return {
    resourcesOf<T extends SupportedType>(type: T): readonly Resource<T>[] {
      const declared = Object.entries(Resources).filter(([, { Type }]) => Type === type);
      return declared.map(([logicalId, { Properties }]) => {
        const result = v.safeParse(supportedTypes[type], resolveIntrinsics(Properties, scope));
        if (result.success) return { id: scope.ref(logicalId), properties: result.output };
        const paths = result.issues.map((issue) => v.getDotPath(issue)).join(', ');
        throw new Error(`The local API does not support this form of ${paths} in the ${type} ${logicalId}.`);
      });
    },
    outputs: Object.fromEntries(
      Object.entries(Outputs).map(([name, { Value }]) => [name, String(resolveIntrinsics(Value, scope))]),
    ),
  };
}
