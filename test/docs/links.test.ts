import { existsSync, globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { operations } from '../../shared/service.ts';
import { handlerOf, list } from '../support/contract/own-operations.ts';
import { anchorsOf, codeBlocksOf, htmlOf, isMissing, missingLinksOf } from '../support/docs/markdown.ts';
import { everySetting } from '../support/infra/stage-settings.ts';
import { productionTemplate } from '../support/infra/synthesize.ts';

const documents = globSync(['*.md', '.github/*.md', 'docs/*.md', 'bin/*/*.md']);
const read = (path: string) => readFileSync(path, 'utf8');

it.each(documents)('%s links only to files and sections that exist', (path) => {
  expect(missingLinksOf(path)).toEqual([]);
});

it.each(documents)('%s has no placeholder outside code, which would not be shown', (path) => {
  const tags = htmlOf(path).flatMap((html) => html.match(/<[^>]*>/g) ?? []);

  expect(tags.filter((tag) => !/^<(\/?(a|picture|source|img|p|br)\b|!--)/.test(tag))).toEqual([]);
});

it.each(documents)('%s has each row of a table, and each command, on a line of its own', (path) => {
  expect(read(path).match(/^.*(?:[^\s|:-].*\|---|\|---.*[^\s|:-]|```\w+ ).*$/gm) ?? []).toEqual([]);
});

it('the README shows a handler as it is', () => {
  const [, shown] = /```ts\n(.*?)```/s.exec(read('README.md')) ?? [];
  expect(shown).toBe(read(handlerOf(list)));
});

// The changelog also names what a release had.
it.each(documents.filter((path) => path !== 'CHANGELOG.md'))(
  '%s names only npm scripts and files that exist',
  (path) => {
    const { scripts } = JSON.parse(read('package.json'));
    const text = read(path);
    const commands = Array.from(text.matchAll(/npm run (?:-s )?([a-z][a-z0-9-]*)/g), ([, name = '']) => name);
    // A how-to also names files that its reader creates, but none of them is in these folders. One says how to
    // delete what an earlier step of it may have deleted.
    const isToDelete = path === 'docs/start-your-own.md';
    const files = isToDelete
      ? []
      : (text.match(/(?<![\w/.{,-])(?:bin|infra|test\/(?:infra|bin|daily))\/[\w/-]+(?:\.\w+)*/g) ?? []);

    expect(commands.filter((name) => !(name in scripts))).toEqual([]);
    expect(files.filter((file) => !existsSync(file))).toEqual([]);
  },
);

it.each(documents)('%s has only shell commands that zsh reads as bash does', (path) => {
  const lines = codeBlocksOf(path, 'sh', 'console').flatMap((block) => block.split('\n'));

  // An interactive zsh runs a comment as a command, and takes the `:r` of `$ACCOUNT:role` for a modifier.
  expect(lines.filter((line) => /^\s*#|\s#\s|\$\w+:[a-z]/i.test(line))).toEqual([]);
});

it('code and workflows refer only to documents and sections that exist', () => {
  // A tool below test/ has packages of its own.
  const paths = globSync(['{bin,functions,infra,shared,test}/**/*.ts', '.github/workflows/*.yml']).filter(
    (path) => !path.includes('node_modules'),
  );
  const sources = paths.map(read);
  const references = sources.flatMap((text) => text.match(/\bdocs\/[\w-]+\.md(#[a-z-]+)?/g) ?? []);

  expect(references.filter((reference) => isMissing(reference, '.'))).toEqual([]);
});

const template = productionTemplate(everySetting);

it('the runbook has each section that an alarm links to', () => {
  const linked = new Set(JSON.stringify(template).match(/(?<=runbook#)[\w-]+/g));

  expect([...linked]).toContain('requests-fail');
  expect(anchorsOf('docs/runbook.md')).toEqual(expect.arrayContaining([...linked]));
});

it('requests.http calls only operations', () => {
  const withoutNames = (path: string) => path.replaceAll(/\{+[^{}]+\}+/g, '{}');
  const described = Object.values(operations).map(({ method, path }) => `${method} ${withoutNames(path)}`);
  const requests = read('requests.http').matchAll(/^([A-Z]+) \{\{baseUrl\}\}([^?\n]+)/gm);

  const called = Array.from(requests, ([, method, path = '']) => `${method} ${withoutNames(path)}`);
  expect(called).not.toEqual([]);
  expect(described).toEqual(expect.arrayContaining(called));
});

it('requests.http has a placeholder for the key', () => {
  expect(read('requests.http').match(/petstore_.*/g)).toEqual(['petstore_staging_…']);
});
