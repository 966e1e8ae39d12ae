import { describe, expect, it } from 'vitest';
import { runCommand } from '../../cli/test/support/command-process.ts';
import { breakingChanges } from '../compare-descriptions.ts';

const now = new Date('2027-03-01T12:00:00Z');
const media = 'content application/json schema';
const json = (schema: object) => ({ 'application/json': { schema } });

const item = {
  type: 'object',
  properties: { id: { type: 'integer' }, name: { type: 'string' } },
  required: ['id', 'name'],
};
const newItem = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };
const created = { 201: { description: 'Created.', content: json(item) } };
const createItem = { operationId: 'createItem', requestBody: { content: json(newItem) }, responses: created };
const getItem = {
  operationId: 'getItem',
  responses: { 200: { description: 'An item.', content: json(item) } },
};
const apiKey = { type: 'http', scheme: 'bearer' };

/** An interface description with some operations on `/items` and `/items/{id}`. */
const description = (paths: object, rest: object = {}) => ({
  openapi: '3.1.0',
  info: { title: 'Items', version: '1.0.0' },
  security: [{ apiKey: [] }],
  components: { securitySchemes: { apiKey } },
  ...rest,
  paths,
});
const plain = description({ '/items': { post: createItem } });

it('finds what was removed or is now required, but no other additions', () => {
  const { properties } = item;
  const before = description({
    '/items': { post: { ...createItem, requestBody: { content: json({ ...newItem, required: [] }) } } },
    '/items/{id}': { get: getItem, delete: { operationId: 'deleteItem', responses: {} } },
  });
  const richer = { ...item, properties: { ...properties, tags: { type: 'array' } } };
  const poorer = { ...item, properties: { id: properties.id }, required: ['id'] };
  const after = description({
    '/items': {
      post: { ...createItem, responses: { 201: { description: 'Created.', content: json(richer) } } },
      get: getItem,
    },
    '/items/{id}': {
      get: { ...getItem, responses: { 200: { description: 'An item.', content: json(poorer) } } },
    },
  });

  expect(breakingChanges(before, after, now).toSorted()).toEqual([
    `add paths /items post requestBody ${media} required 0`,
    `remove paths /items/{id} delete`,
    `remove paths /items/{id} get responses 200 ${media} properties name`,
    `remove paths /items/{id} get responses 200 ${media} required 1`,
  ]);
});

it.each<[change: string, before: object, lines: readonly string[]]>([
  [
    'another scheme',
    { components: { securitySchemes: { apiKey: { ...apiKey, scheme: 'basic', description: 'Other.' } } } },
    ['replace components securitySchemes apiKey scheme'],
  ],
  ['no scheme before', { security: undefined, components: { securitySchemes: {} } }, ['add security']],
  [
    'a scheme of another name',
    { security: [{ token: [] }], components: { securitySchemes: { token: apiKey } } },
    ['add security 0 apiKey', 'remove components securitySchemes token', 'remove security 0 token'],
  ],
])('finds that clients authenticate differently: %s', (_change, before, lines) => {
  const earlier = JSON.parse(JSON.stringify(description(plain.paths, before)));

  expect(breakingChanges(earlier, plain, now).toSorted()).toEqual(lines);
});

describe('an operation', () => {
  const until = (sunset: string) => ({ deprecated: true, 'x-sunset': sunset });
  const withDelete = (described: object | undefined) =>
    description({
      '/items': {
        post: createItem,
        ...(described && { delete: { operationId: 'deleteItems', responses: {}, ...described } }),
      },
    });
  const removed = ['remove paths /items delete'];

  it.each<[string, object | undefined, object | undefined, string[]]>([
    ['may be removed from its sunset on', until('2027-03-01T12:00:00Z'), undefined, []],
    ['may not be removed before its sunset', until('2027-03-01T13:00:00Z'), undefined, removed],
    ['may not be removed without a sunset', {}, undefined, removed],
    ['may end in a year', {}, until('2028-03-02T00:00:00Z'), []],
    ['may not end within a year', {}, until('2028-03-01T00:00:00Z'), ['add paths /items delete x-sunset']],
    ['may not end in the past', {}, until('2026-12-31T00:00:00Z'), ['add paths /items delete x-sunset']],
    [
      'may not end earlier than announced',
      until('2030-01-02T00:00:00Z'),
      until('2030-01-01T00:00:00Z'),
      ['replace paths /items delete x-sunset'],
    ],
    ['may end later than announced', until('2027-04-01T00:00:00Z'), until('2027-05-01T00:00:00Z'), []],
    ['may stay after all', until('2027-04-01T00:00:00Z'), {}, []],
  ])('%s', (_title, before, after, expected) => {
    expect(breakingChanges(withDelete(before), withDelete(after), now)).toEqual(expected);
  });
});

describe('a later description', () => {
  const headers = { 'X-Batch': { $ref: '#/components/headers/Batch' } };
  const content = json({ type: 'object', properties: { kind: { $ref: '#/components/schemas/Kind' } } });
  const responses = { 200: { description: 'An item.', headers, content } };

  interface Change {
    readonly kinds?: readonly string[];
    readonly servers?: readonly object[];
    readonly operationId?: string;
    readonly required?: boolean;
  }
  /** A description of one operation, whose response has a header and a field with an open list of values. */
  const withChange = ({
    kinds = ['cog', 'wheel'],
    servers = [{ url: '/v1', 'x-internal': false }],
    operationId = 'getItem',
    required = true,
  }: Change) => {
    const components = {
      securitySchemes: { apiKey },
      headers: { Batch: { required, schema: { type: 'string' } } },
      schemas: { Kind: { type: 'string', 'x-extensible-enum': kinds } },
    };
    return description({ '/items/{id}': { get: { operationId, responses } } }, { servers, components });
  };
  const ok = 'paths /items/{id} get responses 200';
  const ofKind = `${ok} ${media} properties kind x-extensible-enum`;

  it.each<[string, Change, string[]]>([
    ['may have a new value of an open list', { kinds: ['axle', 'cog', 'wheel'] }, []],
    ['may have the values of an open list in another order', { kinds: ['wheel', 'cog'] }, []],
    ['keeps the values of an open list', { kinds: ['wheel'] }, [`remove ${ofKind} cog`]],
    [
      'keeps the spelling of the values of an open list',
      { kinds: ['cog', 'Wheel'] },
      [`remove ${ofKind} wheel`],
    ],
    ['keeps the address', { servers: [{ url: '/v2' }] }, ['replace servers 0 url']],
    ['keeps having an address', { servers: [] }, ['remove servers 0']],
    ['may describe the address in another way', { servers: [{ url: '/v1', description: 'Ours.' }] }, []],
    ['may have another address after the first', { servers: [{ url: '/v1' }, { url: '/eu/v1' }] }, []],
    [
      'keeps the name of an operation',
      { operationId: 'readItem' },
      ['replace paths /items/{id} get operationId'],
    ],
    [
      'keeps a header that every response has',
      { required: false },
      [`replace ${ok} headers X-Batch required`],
    ],
  ])('%s', (_title, change, expected) => {
    expect(breakingChanges(withChange({}), withChange(change), now)).toEqual(expected);
  });
});

describe('npm run breaking-changes', () => {
  const compareWith = (file: string) => runCommand('bin/breaking-changes/breaking-changes.ts', [file]);

  it('prints nothing if nothing has changed', async () => {
    expect(await compareWith('openapi.json')).toStrictEqual({ exitCode: 0, stdout: '', stderr: '' });
  });

  it('fails if there are changes', async () => {
    const { exitCode, stdout } = await compareWith('package.json');

    expect(exitCode).toBe(1);
    expect(stdout).not.toBe('');
  });
});
