import * as v from 'valibot';
import type { Assembly } from '../../../bin/local-api/template/assembly.ts';
import { resolveIntrinsics } from '../../../bin/local-api/template/intrinsics.ts';
import { capitalize } from '../../../infra/stack-names.ts';
import { operations } from '../../../shared/service.ts';

/** The constructs of the functions that serve requests. A stack may have others. */
export const handlers: readonly string[] = [
  ...Object.values(operations).map(({ operationId }) => capitalize(operationId)),
  'Authorizer',
];

const ofRequests = new RegExp(`^(${[...handlers, 'PetStore', 'Releases'].join('|')})[A-Z]`);

/** Returns whether a resource serves requests, or is part of the API or of releases. */
export const servesRequests = (logicalId: string) => ofRequests.test(logicalId);

const Resource = v.looseObject({
  Type: v.string(),
  Properties: v.optional(v.record(v.string(), v.unknown()), {}),
});
export type Resource = v.InferOutput<typeof Resource>;

const Template = v.looseObject({
  Resources: v.record(v.string(), Resource),
  Outputs: v.record(v.string(), v.object({ Value: v.unknown() })),
});
export type Resources = v.InferOutput<typeof Template>['Resources'];

export const resourcesOf = (template: unknown): Resources => v.parse(Template, template).Resources;

export function altered(stack: Assembly, alter: (resources: Resources) => void): Assembly {
  const template = v.parse(Template, structuredClone(stack.template));
  alter(template.Resources);
  return { ...stack, template };
}

/** Returns the first resource of a type whose logical id begins with `prefix`. */
export function resourceOf(resources: Resources, type: string, prefix = ''): Resource {
  const [found] = Object.entries(resources)
    .filter(([logicalId, { Type }]) => Type === type && logicalId.startsWith(prefix))
    .map(([, resource]) => resource);
  if (!found) throw new Error(`The template has no ${type} ${prefix}.`);
  return found;
}

/** Makes a template readable: logical ids have no hashes, and references are the names of their targets. */
export function readableTemplate(template: unknown) {
  const { Resources, Outputs } = v.parse(Template, template);
  const arnOf = (id: string) => `arn:Partition:Service:Region:AccountId:${nameOf(id)}`;
  const nameOf = (id: string) => id.replace(/^AWS::|[0-9A-F]{8}([0-9a-f]{32})?$/, '');
  const resolve = (value: unknown): unknown =>
    resolveIntrinsics(value, {
      // CDK splits an alias's ARN at its colons.
      ref: (id) => (Resources[id]?.Type === 'AWS::Lambda::Alias' ? arnOf(id) : nameOf(id)),
      getAtt: (id, attribute) => {
        if (attribute === 'Arn') return arnOf(id);
        // The value of a parameter is one of its properties.
        return `${resolve(Resources[id]?.Properties[attribute] ?? `${nameOf(id)}.${attribute}`)}`;
      },
    });

  return {
    /** The properties of each resource of a type, by its name. */
    propertiesOf: (type: string) =>
      Object.fromEntries(
        Object.entries(Resources)
          .filter(([, { Type }]) => Type === type)
          .map(([logicalId, { Properties }]) => [nameOf(logicalId), resolve(Properties)]),
      ),
    outputs: Object.fromEntries(Object.entries(Outputs).map(([name, { Value }]) => [name, resolve(Value)])),
  };
}

/** Returns the names that a template gives to resources of these types, by their logical ids. */
export function namesIn(template: unknown): Readonly<Record<string, unknown>> {
  const nameOf: Readonly<Record<string, (properties: Resource['Properties']) => unknown>> = {
    'AWS::Budgets::Budget': ({ Budget }) => v.parse(v.object({ BudgetName: v.string() }), Budget).BudgetName,
    'AWS::CloudWatch::Alarm': ({ AlarmName }) => AlarmName,
    'AWS::CloudWatch::CompositeAlarm': ({ AlarmName }) => AlarmName,
    'AWS::CloudWatch::Dashboard': ({ DashboardName }) => DashboardName,
    'AWS::IAM::ManagedPolicy': ({ ManagedPolicyName }) => ManagedPolicyName,
    'AWS::IAM::Role': ({ RoleName }) => RoleName,
    'AWS::SSM::Parameter': ({ Name }) => Name,
  };
  const named = Object.entries(resourcesOf(template)).filter(([, { Type }]) => Type in nameOf);
  return Object.fromEntries(named.map(([id, { Type, Properties }]) => [id, nameOf[Type]?.(Properties)]));
}
