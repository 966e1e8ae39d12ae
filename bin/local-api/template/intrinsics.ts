import * as v from 'valibot';

/** Resolves `Ref` and `Fn::GetAtt` to the resources and pseudo parameters of a template. */
export interface Scope {
  ref(name: string): string;
  getAtt(logicalId: string, attribute: string): string;
}

type Intrinsic = (argument: unknown, scope: Scope) => unknown;

const intrinsics: Readonly<Record<string, Intrinsic>> = {
  Ref: (name, { ref }) => ref(text(name)),
  'Fn::GetAtt': (argument, { getAtt }) => {
    const [logicalId, attribute] = list(argument);
    return getAtt(text(logicalId), text(attribute));
  },
  'Fn::Join': (argument, scope) => {
    const [separator, parts] = list(argument);
    return list(resolveIntrinsics(parts, scope)).map(text).join(text(separator));
  },
  'Fn::Select': (argument, scope) => {
    const [index, values] = list(argument);
    return list(resolveIntrinsics(values, scope))[Number(index)];
  },
  'Fn::Split': (argument, scope) => {
    const [separator, value] = list(argument);
    return text(resolveIntrinsics(value, scope)).split(text(separator));
  },
  'Fn::Sub': (template, { ref }) =>
    text(template).replaceAll(/\$\{([^{}]+)\}/g, (_match, name: string) => ref(name)),
};

/**
 * Resolves every intrinsic function within a value of a template.
 *
 * @throws {Error} naming an unsupported intrinsic function
 */
export function resolveIntrinsics(value: unknown, scope: Scope): unknown {
  if (Array.isArray(value)) return value.map((item) => resolveIntrinsics(item, scope));
  if (typeof value !== 'object' || value === null) return value;

  const entries = Object.entries(value);
  const [[name, argument] = ['', undefined]] = entries;
  if (entries.length === 1 && (name === 'Ref' || name.startsWith('Fn::'))) {
    const intrinsic = intrinsics[name];
    if (!intrinsic) throw new Error(`The local API does not support the intrinsic function ${name}.`);
    return intrinsic(argument, scope);
  }
  return Object.fromEntries(entries.map(([key, member]) => [key, resolveIntrinsics(member, scope)]));
}

const text = (value: unknown) => v.parse(v.string(), value);
const list = (value: unknown) => v.parse(v.array(v.unknown()), value);
