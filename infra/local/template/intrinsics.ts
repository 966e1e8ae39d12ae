/** Resolves `Ref` and `Fn::GetAtt` to the resources and pseudo parameters of a template. */
export interface Scope {
  ref(name: string): string;
  getAtt(logicalId: string, attribute: string): string;
}

type Intrinsic = (argument: unknown, scope: Scope) => unknown;

const intrinsics: Readonly<Record<string, Intrinsic>> = {
  Ref: (name, { ref }) => ref(text(name)),
  'Fn::GetAtt': (argument, { getAtt }) => {
    const [logicalId, attribute] = list(argument).map(text);
    return getAtt(logicalId ?? '', attribute ?? '');
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
 * Replaces every intrinsic function within a value of a template by what it stands for.
 *
 * @throws {Error} naming an intrinsic function that is not known here
 */
export function resolveIntrinsics(value: unknown, scope: Scope): unknown {
  if (Array.isArray(value)) return value.map((item) => resolveIntrinsics(item, scope));
  if (typeof value !== 'object' || value === null) return value;

  const entries = Object.entries(value);
  const [name, argument] = entries[0] ?? [];
  if (name !== undefined && entries.length === 1 && isIntrinsic(name)) {
    const intrinsic = intrinsics[name];
    if (!intrinsic) throw new Error(`The local API does not know the intrinsic function ${name}.`);
    return intrinsic(argument, scope);
  }
  return Object.fromEntries(entries.map(([key, member]) => [key, resolveIntrinsics(member, scope)]));
}

const isIntrinsic = (name: string) => name === 'Ref' || name.startsWith('Fn::');

function text(value: unknown): string {
  if (typeof value === 'string') return value;
  throw new Error(`The local API expects text in an intrinsic function, not ${JSON.stringify(value)}.`);
}

function list(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw new Error(`The local API expects a list in an intrinsic function, not ${JSON.stringify(value)}.`);
}
