/** What AWS has shown, or what is missing to know it. What was not read has no value: not even an empty one. */
export type Fact<T> = Read<T> | Unread;

interface Read<T> {
  readonly isRead: true;
  readonly value: T;
}

export interface Unread {
  readonly isRead: false;
  /** The calls that failed, each with its error. */
  readonly missing: readonly Missing[];
}

export interface Missing {
  readonly what: string;
  readonly error: unknown;
}

export const missingText = ({ what, error }: Missing) => `${what}: ${error}`;

/** Facts by name, and their values once all of them are read. */
export type Facts = Readonly<Record<string, Fact<unknown>>>;
export type Values<F extends Facts> = { readonly [N in keyof F]: F[N] extends Fact<infer T> ? T : never };

export const read = <T>(value: T): Fact<T> => ({ isRead: true, value });

/** Returns several facts as one, which is unread if one of them is: then it lacks what they lack. */
export function together<F extends Facts>(facts: F): Fact<Values<F>>;
export function together(facts: Facts): Fact<unknown> {
  const missing = Object.values(facts).flatMap((fact) => (fact.isRead ? [] : fact.missing));
  if (missing.length > 0) return { isRead: false, missing: [...new Set(missing)] };
  return read(
    Object.fromEntries(Object.entries(facts).map(([name, fact]) => [name, fact.isRead && fact.value])),
  );
}

/** Returns what follows from a fact. Nothing follows from what was not read. */
export const derive = <T, R>(fact: Fact<T>, follow: (value: T) => R): Fact<R> =>
  fact.isRead ? read(follow(fact.value)) : fact;

/**
 * Returns what follows from those of many facts that `draw` asks for. Once it asks for an unread one, nothing follows.
 */
export function infer<F extends Facts, R>(facts: F, draw: (known: Values<F>) => R): Fact<R>;
export function infer(facts: Facts, draw: (known: never) => unknown): Fact<unknown> {
  const known = {};
  for (const [name, fact] of Object.entries(facts)) {
    const get = () => {
      if (fact.isRead) return fact.value;
      throw new Unknown(fact);
    };
    Object.defineProperty(known, name, { get, enumerable: true });
  }
  try {
    return read(Reflect.apply(draw, undefined, [known]));
  } catch (error) {
    if (error instanceof Unknown) return error.fact;
    throw error;
  }
}

/** Ends a conclusion. */
class Unknown extends Error {
  readonly fact: Unread;

  constructor(fact: Unread) {
    super('A fact was not read.');
    this.fact = fact;
  }
}
