import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Node, Parser } from 'commonmark';

/** Returns what a document consists of, as CommonMark reads it: a table, GitHub's extension, is a paragraph. */
function nodesOf(path: string): Node[] {
  return within(new Parser().parse(readFileSync(path, 'utf8')));
}

function within(parent: Node): Node[] {
  const walker = parent.walker();
  const nodes: Node[] = [];
  for (let event = walker.next(); event; event = walker.next()) if (event.entering) nodes.push(event.node);
  return nodes;
}

/** Returns a document's blocks of code in some languages. */
export const codeBlocksOf = (path: string, ...languages: readonly string[]): string[] =>
  nodesOf(path)
    .filter(({ type, info }) => type === 'code_block' && languages.includes(info ?? ''))
    .map(({ literal }) => literal ?? '');

/** Returns the HTML in a document. */
export const htmlOf = (path: string): string[] =>
  nodesOf(path).flatMap(({ type, literal }) => (type.startsWith('html_') ? (literal ?? '') : []));

/** Returns the addresses of a document's links and pictures, also those in HTML. */
const linksOf = (path: string): string[] => [
  ...nodesOf(path).flatMap(({ destination }) => destination ?? []),
  ...htmlOf(path).flatMap((html) => html.match(/(?<=\b(?:href|src|srcset)=")[^"]+/g) ?? []),
];

/** Returns the anchors of a document: GitHub's names of its headings, and its own. */
export function anchorsOf(path: string): string[] {
  const headings = nodesOf(path)
    .filter(({ type }) => type === 'heading')
    .map((heading) =>
      within(heading)
        .map(({ type, literal }) => (type.startsWith('html_') ? '' : (literal ?? '')))
        .join('')
        .replaceAll(/[^\w -]/g, ''),
    );
  const own = htmlOf(path).flatMap((html) => /<a id="([^"]+)">/.exec(html)?.[1] ?? []);
  return [...headings, ...own].map((name) => name.toLowerCase().replaceAll(' ', '-'));
}

/** Whether a link in a document leads to no file, or to no section of it. */
export function isMissing(link: string, from: string): boolean {
  const [file, anchor] = link.split('#');
  const path = file ? join(dirname(from), file) : from;
  return !existsSync(path) || (anchor !== undefined && !anchorsOf(path).includes(anchor));
}

/** Returns the links of a document to files and sections that do not exist. */
export const missingLinksOf = (path: string): string[] =>
  linksOf(path).filter((link) => !/^(https?|mailto):/.test(link) && isMissing(link, path));
