import type { JsonSchema } from '@valibot/to-json-schema';
import { expect, it } from 'vitest';
import { typesOf } from '../pack/types-of.ts';

/** Later versions may add values. */
const level = { type: 'string', 'x-extensible-enum': ['low', 'high'] } as const;

const note: Record<string, JsonSchema> = {
  Kind: { enum: ['a', "it's"] },
  Note: {
    type: 'object',
    properties: {
      id: { type: 'integer', format: 'int64', description: 'Assigned; ends with a */ mark.' },
      kind: { $ref: '#/components/schemas/Kind' },
      level,
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
    required: ['id', 'kind', 'level'],
  },
};

const types = {
  Kind: "type Kind = 'a' | 'it\\'s';",
  Note: `interface Note {
    /** Assigned; ends with a * mark. */
    readonly id: bigint;
    readonly kind: Kind;
    readonly level: 'low' | 'high' | (string & {});
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
};

it('writes a type with the texts of its fields for each schema', () => {
  expect(typesOf(note)).toStrictEqual(types);
});

it('names a schema without a type', () => {
  const Pair: JsonSchema = { type: 'array', items: [{ type: 'string' }] };

  expect(() => typesOf({ Pair })).toThrow(/no type for \{"type":"array",.*: add one/);
});
