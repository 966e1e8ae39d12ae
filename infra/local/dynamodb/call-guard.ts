import { EventEmitter } from 'node:events';

type AnyFunction = (...args: readonly unknown[]) => unknown;

/** A lock of dynalite: waits for a key, then runs `locked` with a function that wraps a callback to release the key first. */
type Lock = (key: unknown, locked: (release: (done: AnyFunction) => AnyFunction) => void) => void;

/**
 * Guards one call of dynalite. On input that it does not expect dynalite throws in callbacks of its store, where nothing
 * catches the error: the process would crash. Here the error fails the call instead, and releases the locks it holds.
 */
export class CallGuard {
  readonly #fail: (error: unknown) => void;
  readonly #held = new Set<AnyFunction>();

  constructor(fail: (error: unknown) => void) {
    this.#fail = fail;
  }

  /** The store, or a part of it, with every callback and stream guarded. */
  guard<T extends object>(target: T): T {
    return new Proxy(target, {
      get: (_target, name) => this.#member(target, Reflect.get(target, name), name),
    });
  }

  #member(target: object, member: unknown, name: string | symbol): unknown {
    if (!isFunction(member)) return isPlainObject(member) ? this.guard(member) : member;
    if (name === 'lock') return this.#lock((...args) => Reflect.apply(member, target, args));
    return (...args: readonly unknown[]) => {
      const guardedArgs = args.map((arg) => (isFunction(arg) ? this.#callback(arg) : arg));
      const result: unknown = Reflect.apply(member, target, guardedArgs);
      if (result instanceof EventEmitter) return this.#emitter(result);
      return isPlainObject(result) ? this.guard(result) : result;
    };
  }

  #callback(callback: AnyFunction): AnyFunction {
    return (...args) => this.#run(() => callback(...args));
  }

  #emitter(emitter: EventEmitter): EventEmitter {
    const emit = emitter.emit.bind(emitter);
    return Object.assign(emitter, {
      emit: (...args: Parameters<typeof emit>) => this.#run(() => emit(...args)) ?? false,
    });
  }

  #lock(lock: Lock): Lock {
    return (key, locked) =>
      lock(key, (release) =>
        this.#run(() => {
          const free = release(() => undefined);
          this.#held.add(free);
          locked((done) => (...results) => {
            if (this.#held.delete(free)) free();
            return done(...results);
          });
        }),
      );
  }

  #run<T>(act: () => T): T | undefined {
    try {
      return act();
    } catch (error) {
      for (const free of this.#held) free();
      this.#held.clear();
      this.#fail(error);
      return undefined;
    }
  }
}

const isFunction = (value: unknown): value is AnyFunction => typeof value === 'function';

const isPlainObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
