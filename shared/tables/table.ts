import type * as v from 'valibot';
import { environmentVariable } from '../lambda/init.ts';

/** The attribute by which items are found, and the one that sorts those which share it, if there is one. */
export interface Key {
  readonly partition: string;
  readonly sort?: string;
}

/** A table as data, from which its declaration, permissions, environment, monitoring and output follow. */
export interface TableDefinition<T extends object = object> {
  /** Its name in settings, outputs and the log. */
  readonly id: string;
  /** The environment variable that carries its name in AWS to the functions that use it. */
  readonly nameVariable: string;
  /** What its items are. They may have further attributes, which no function of this folder returns. */
  readonly schema: v.GenericSchema<unknown, T> & { readonly entries: Readonly<Record<string, unknown>> };
  readonly key: Key;
  /** The keys of all its indexes, by name. A deploy can create or delete only one: see CONTRIBUTING.md. */
  readonly indexes: Readonly<Record<string, Key>>;
  /** The types of all attributes in its keys. */
  readonly keyTypes: Readonly<Record<string, 'N' | 'S'>> & { readonly [Name in keyof T]?: KeyType<T[Name]> };
  /** The attribute with the instant at which DynamoDB deletes an item. */
  readonly timeToLive?: string;
}

/** The type in DynamoDB of a field in a key. */
type KeyType<T> = T extends string ? 'S' : T extends bigint | number ? 'N' : never;

/** A table that a function uses. */
export interface Table extends TableDefinition {
  readonly tableName: string;
}

/** Returns a table with its name in AWS. Call it when a module loads: without the name, the function fails at once. */
export const openTable = <const Definition extends TableDefinition>(definition: Definition) => ({
  ...definition,
  tableName: environmentVariable(definition.nameVariable),
});

/** What the schema of a table describes. */
export type ItemOf<T extends TableDefinition> = v.InferOutput<T['schema']>;

/** The value of an attribute in a key of a table. */
export type KeyValue<T extends TableDefinition, Name> = Name extends keyof T['keyTypes']
  ? { readonly N: bigint; readonly S: string }[T['keyTypes'][Name]]
  : never;

/** The key of one item. */
export type KeyOf<T extends TableDefinition> = {
  readonly [Name in NamesOf<T['key']>]: KeyValue<T, Name>;
};

/** What can be stored in an item: the fields of the schema, and attributes of keys that are no fields. */
export type AttributesOf<T extends TableDefinition> = v.InferInput<T['schema']> & {
  readonly [Name in Exclude<keyof T['keyTypes'], keyof v.InferInput<T['schema']>>]?: KeyValue<T, Name>;
};

type NamesOf<K extends Key> =
  | K['partition']
  | (K extends { readonly sort: infer Sort extends string } ? Sort : never);

/** Returns a key that an item could have, for a write that changes nothing. */
export const someKey = ({ key, keyTypes }: Table) =>
  Object.fromEntries(namesOf(key).map((name) => [name, keyTypes[name] === 'N' ? 0n : 'none']));

/** Returns the names of the attributes of a key, the partition's first. */
export const namesOf = ({ partition, sort }: Key): readonly string[] =>
  sort === undefined ? [partition] : [partition, sort];
