import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { apiVersion, operations } from '../../shared/service.ts';

// CONTRIBUTING.md has an entity that the service lacks, as an example.
const samples = ['README.md', ...globSync(['docs/*.md', 'bin/*/*.md'])];

/** What the specification names without describing it. */
const unspecified = '/store/orders';

const calls = [
  /\b(?:GET|HEAD|POST|PUT|PATCH|DELETE)\s+(\/[\w{}/.%-]*)/g,
  /\bBASE_?URL\b[^\w/\n]{0,8}(\/[\w{}/.%-]*)/gi,
  new RegExp(String.raw`(?<!Location: \S*):\d+(/${apiVersion}/[\w{}/.%-]*)`, 'g'),
  // It is below the path of the create, and stays when the operation that reads it is removed.
  new RegExp(String.raw`Location: \S*:\d+(/${apiVersion}/[\w{}/.%-]*)/\d+`, 'g'),
];

const isCalled = (called: string, path: string) =>
  new RegExp(`^(/${apiVersion})?${path.replaceAll(/\{\w+\}/g, '[^/]+')}/?$`).test(called);

it.each(samples)('%s calls only paths of operations', (file) => {
  const text = readFileSync(file, 'utf8');
  const called = calls.flatMap((pattern) =>
    Array.from(text.matchAll(pattern), ([, path = '']) => decodeURI(path)),
  );

  const described = [...Object.values(operations).map(({ path }) => path), unspecified];
  expect(called.filter((path) => !described.some((known) => isCalled(path, known)))).toEqual([]);
});
