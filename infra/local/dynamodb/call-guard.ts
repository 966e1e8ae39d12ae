import { EventEmitter } from 'node:events';

type Action = (...args: readonly unknown[]) => unknown;

/**
 * Guards a store during one dynalite call. On malformed input, dynalite throws in store callbacks, where
 * nothing catches the error: the process would crash. Here, the call fails instead.
 */
export function guarded<T extends object>(store: T, fail: (error: unknown) => void): T {
  const guard = (action: Action): Action =>
    function guardedAction(...args) {
      try {
        return action(...args);
      } catch (error) {
        return fail(error);
      }
    };
  const guardCallback = (arg: unknown) => (isAction(arg) ? guard(arg) : arg);
  const guardPart = (part: unknown): unknown => {
    if (isPlainObject(part)) return guarded(part, fail);
    if (!(part instanceof EventEmitter)) return part;
    const { emit } = part;
    return Object.assign(part, { emit: guard((...args) => Reflect.apply(emit, part, args)) });
  };
  return new Proxy(store, {
    get(_store, name) {
      // Calls run one at a time, so a failed one need not leave keys locked.
      if (name === 'lock') return (_key: unknown, locked: Action) => locked((done: Action) => done);
      const member: unknown = Reflect.get(store, name);
      if (!isAction(member)) return guardPart(member);
      return (...args: readonly unknown[]) =>
        guardPart(Reflect.apply(member, store, args.map(guardCallback)));
    },
  });
}

const isAction = (value: unknown): value is Action => typeof value === 'function';
const isPlainObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
