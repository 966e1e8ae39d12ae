import { describe, expect, it } from 'vitest';
import { breakingChanges } from '../../../infra/reference/breaking-changes.ts';

const pet = { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] };

/** Builds a description of an API that stores pets. */
function description({ newPet = pet, stored = pet, methods = ['get', 'post'] }) {
  const json = (schema: object) => ({ content: { 'application/json': { schema } } });
  const responses = { 200: { description: 'A pet.', ...json({ $ref: '#/components/schemas/Pet' }) } };
  const operation = { requestBody: json({ $ref: '#/components/schemas/NewPet' }), responses };
  return {
    openapi: '3.1.1',
    info: { title: 'Pets', version: '1.0.0' },
    paths: { '/pets': Object.fromEntries(methods.map((method) => [method, operation])) },
    components: { schemas: { NewPet: newPet, Pet: stored } },
  };
}

const tags = { type: 'string' };
const withTags = { ...pet, properties: { ...pet.properties, tags } };

describe('breakingChanges', () => {
  it.each<[string, before: object, after: object, changes: string[]]>([
    ['a removed operation', {}, { methods: ['get'] }, ['remove paths /pets post']],
    [
      'a required field of a request',
      { methods: ['get'] },
      { methods: ['get'], newPet: { ...withTags, required: ['id', 'tags'] } },
      [
        'add paths /pets get requestBody content application/json schema properties tags',
        'add paths /pets get requestBody content application/json schema required 1',
      ],
    ],
    [
      'a removed field of a response',
      { methods: ['get'], stored: { ...withTags, required: ['id', 'tags'] } },
      { methods: ['get'] },
      [
        'remove paths /pets get responses 200 content application/json schema properties tags',
        'remove paths /pets get responses 200 content application/json schema required 1',
      ],
    ],
  ])('lists %s', (_title, before, after, changes) => {
    expect(breakingChanges(description(before), description(after))).toStrictEqual(changes);
  });

  it.each<[string, before: object, after: object]>([
    ['an added operation', { methods: ['get'] }, {}],
    ['an optional field of a request', {}, { newPet: withTags }],
    ['an added field of a response', {}, { stored: withTags }],
  ])('does not list %s', (_title, before, after) => {
    expect(breakingChanges(description(before), description(after))).toStrictEqual([]);
  });
});
