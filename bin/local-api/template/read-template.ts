import * as v from 'valibot';
import type { Project } from '../project.ts';
import { account, arn } from './account.ts';
import { resolveIntrinsics, type Scope } from './intrinsics.ts';
import {
  attributes,
  notEmulatedMessage,
  references,
  refusedTypes,
  supportedTypes,
} from './resource-types.ts';

/** What a project says of its templates. */
export type TemplateSettings = Pick<Project, 'ignoredTypes' | 'hints' | 'runtime'>;

type SupportedType = keyof typeof supportedTypes;

/** A resource of the template, its intrinsic functions resolved; `id` is what `Ref` returns. */
export interface Resource<T extends SupportedType> {
  readonly id: string;
  readonly properties: v.InferOutput<(typeof supportedTypes)[T]>;
}

/** A resource whose properties are read, and checked, on demand: not every function serves requests. */
export interface DeclaredResource<T extends SupportedType> {
  readonly id: string;
  property(name: string): unknown;
  read(): Resource<T>;
}

const Template = v.object({
  Parameters: v.optional(v.record(v.string(), v.unknown()), {}),
  Outputs: v.optional(v.record(v.string(), v.object({ Value: v.unknown() })), {}),
  Resources: v.record(
    v.string(),
    v.object({
      Type: v.string(),
      Properties: v.optional(v.record(v.string(), v.unknown()), {}),
      Condition: v.optional(v.unknown()),
    }),
  ),
});

const pseudoParameters: Readonly<Record<string, string>> = {
  'AWS::AccountId': account.id,
  'AWS::Partition': 'aws',
  'AWS::Region': account.region,
  'AWS::StackId': arn('cloudformation', 'stack'),
  'AWS::URLSuffix': 'amazonaws.com',
};

/**
 * Reads a synthesized template as CloudFormation would.
 *
 * @throws {Error} naming a resource type, property or intrinsic function without which an answer would be wrong
 */
export function readTemplate(
  template: unknown,
  stackName: string,
  { ignoredTypes, hints }: TemplateSettings,
) {
  /** Ends the message about what would make an answer wrong if it were ignored. */
  const whereToAdd = `To serve it, edit ${hints.resourceTypes}.`;
  const { Parameters, Resources, Outputs } = v.parse(Template, template);
  /** What changes no response. */
  const ignored = new Set<string>();
  for (const [logicalId, { Type }] of Object.entries(Resources)) {
    if (Type in supportedTypes || ignoredTypes.test(Type)) continue;
    if (refusedTypes.test(Type)) {
      throw new Error(
        `The local API does not support the resource type ${Type} of ${logicalId}. ${whereToAdd}`,
      );
    }
    ignored.add(Type);
  }

  const resource = (logicalId: string) => {
    const found = Resources[logicalId];
    if (logicalId in Parameters || logicalId.startsWith('AWS::')) {
      throw new Error(`The local API does not support parameters of a template, such as ${logicalId}.`);
    }
    if (!found) throw new Error(`The template refers to ${logicalId}, which it does not declare.`);
    return found;
  };
  const scope: Scope = {
    ref(name) {
      const pseudoParameter = pseudoParameters[name] ?? (name === 'AWS::StackName' ? stackName : undefined);
      if (pseudoParameter !== undefined) return pseudoParameter;
      const { Type, Properties } = resource(name);
      const given = references[Type]?.((property) => resolveIntrinsics(Properties[property], scope));
      return String(given ?? `${stackName}-${name}`);
    },
    getAtt(logicalId, attribute) {
      const { Type } = resource(logicalId);
      const name = `${Type}.${attribute}`;
      const value = attributes[name];
      if (value) return value(scope.ref(logicalId));
      if (Type in supportedTypes) {
        throw new Error(
          `The local API does not support the attribute ${name} of ${logicalId}. ${whereToAdd}`,
        );
      }
      const [, service = 'custom'] = Type.toLowerCase().split('::');
      const id = scope.ref(logicalId);
      return attribute.endsWith('Arn') ? arn(service, id) : `${id}.${attribute}`;
    },
  };

  function readResource<T extends SupportedType>(type: T, logicalId: string): Resource<T> {
    const { Condition, Properties } = resource(logicalId);
    if (Condition !== undefined) {
      throw new Error(`The local API does not support conditions, such as that of ${logicalId}.`);
    }
    const result = v.safeParse(supportedTypes[type], resolveIntrinsics(Properties, scope));
    const refused: string[] = [];
    for (const issue of result.issues ?? []) {
      const path = v.getDotPath(issue) ?? '';
      if (issue.message !== notEmulatedMessage) refused.push(path);
      // Without the positions in lists.
      else ignored.add(`${path.replaceAll(/\.\d+/g, '')} of ${type}`);
    }
    if (result.typed && refused.length === 0) return { id: scope.ref(logicalId), properties: result.output };
    throw new Error(
      `The local API does not support this form of ${refused.join(', ')} in the ${type} ${logicalId}. ${whereToAdd}`,
    );
  }

  function declared<T extends SupportedType>(type: T): readonly DeclaredResource<T>[] {
    return Object.entries(Resources)
      .filter(([, { Type }]) => Type === type)
      .map(([logicalId, { Properties }]) => ({
        id: scope.ref(logicalId),
        property: (name) => resolveIntrinsics(Properties[name], scope),
        read: () => readResource(type, logicalId),
      }));
  }

  /** An output that can't be resolved is one that no command reads. */
  function outputs(): Record<string, string> {
    const values: Record<string, string> = {};
    for (const [name, { Value }] of Object.entries(Outputs)) {
      try {
        values[name] = String(resolveIntrinsics(Value, scope));
      } catch {
        ignored.add(`the output ${name}`);
      }
    }
    return values;
  }

  return {
    declared,
    resourcesOf: <T extends SupportedType>(type: T): readonly Resource<T>[] =>
      declared(type).map((each) => each.read()),
    outputs: outputs(),
    /** Names what is ignored, because it changes no response. */
    ignore: (what: string) => void ignored.add(what),
    /** What was ignored so far, because it changes no response. */
    ignored: () => [...ignored].sort(),
  };
}
