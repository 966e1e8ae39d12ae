import { readFileSync } from 'node:fs';
import { type Node, Parser } from 'commonmark';

/** Returns what a document consists of, as CommonMark reads it: a table, GitHub's extension, is a paragraph. */
export function nodesOf(path: string): Node[] {
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
export const linksOf = (path: string): string[] => [
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
