import type { JsonSchema } from '@valibot/to-json-schema';
import { expect, it } from 'vitest';
import { typesOf } from '../pack/types-of.ts';

const note: Record<string, JsonSchema> = {
  Kind: { enum: ['a', "it's"] },
  Note: {
    type: 'object',
    properties: {
      id: { type: 'integer', format: 'int64', description: 'Assigned; ends with a */ mark.' },
      kind: { $ref: '#/components/schemas/Kind' },
      'x-rank': { type: 'number' },
      tags: { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'null' }] } },
      at: {
        type: 'object',
        properties: { page: { type: 'integer', description: 'From 1.' } },
        required: ['page'],
      },
      counts: { type: 'object', additionalProperties: { type: 'boolean' } },
      version: { const: 1 },
      any: {},
    },
    required: ['id', 'kind'],
  },
};

const types = (kind: string) => ({
  Kind: "type Kind = 'a' | 'it\\'s';",
  Note: `interface Note {
    /** Assigned; ends with a * mark. */
    readonly id: bigint;
    readonly kind: ${kind};
    readonly "x-rank"?: number;
    readonly tags?: readonly (string | null)[];
    readonly at?: {
        /** From 1. */
        readonly page: number;
    };
    readonly counts?: Readonly<Record<string, boolean>>;
    readonly version?: 1;
    readonly any?: unknown;
}`,
});

it('writes a type with the texts of its fields for each schema', () => {
  expect(typesOf(note, false)).toStrictEqual(types('Kind'));
});

it('leaves an enumeration in a response open', () => {
  expect(typesOf(note, true)).toStrictEqual(types('Kind | (string & {})'));
});

it('names a schema without a type', () => {
  const Pair: JsonSchema = { type: 'array', items: [{ type: 'string' }] };

  expect(() => typesOf({ Pair }, false)).toThrow(/no type for \{"type":"array",.*: add one/);
});
