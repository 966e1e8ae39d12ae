import { pathToFileURL } from 'node:url';

/** Also of what wraps a command of the project. The functions of the local API's own tests are not foreign. */
const foreignPlace = /node:|node_modules\/|bin\/local-api\/(?!test\/)|lib\/runtime\.mjs|bin\/node-24\.mjs/;

/** How Node writes the place of a module's own code, if a source map names it. */
const mappedModule = /^( +at )<anonymous> \((.+)\)$/;

/** What the CDK writes in place of the frames that it leaves out. */
const cdkSummary = /^ {4}(\.{3}.+\.{3}|\(no user code in .+\))$/;

/** How many frames of a stack are shown: a recursion has many. */
const maxFrames = 10;

/** Removes the stack frames of Node, packages and the local API, and the path of the project. */
export function withoutForeignFrames(text: string, root: string): string {
  const kept: string[] = [];
  let frames = 0;
  for (const line of text.replaceAll(pathOf(root), '').split('\n')) {
    if (!isFrame(line)) frames = 0;
    if (cdkSummary.test(line)) continue;
    if (isFrame(line) && (isForeign(line) || ++frames > maxFrames)) {
      // The error's fields follow, such as its cause.
      if (line.endsWith(' {')) kept.push(`${kept.pop() ?? ''} {`);
      continue;
    }
    // The CDK writes `(:)` in place of an unknown column.
    kept.push(isFrame(line) ? line.replace(/ \(:\)$/, '').replace(mappedModule, '$1$2') : line);
  }
  return kept.join('\n');
}

/** The project's own path may contain the name of a foreign place. */
function pathOf(root: string): RegExp {
  const url = RegExp.escape(pathToFileURL(root).href);
  return new RegExp(`(?<=^|[ (])(${url}|(?:file:)?${RegExp.escape(root)})`, 'gm');
}

/** Those of a cause are indented further. */
const isFrame = (line: string) => /^ {4,}at /.test(line);

/** A frame without a file, such as `at new Promise (<anonymous>)`, is foreign too. */
const isForeign = (frame: string) => !frame.includes('/') || foreignPlace.test(frame);
