import { pathToFileURL } from 'node:url';
import { projectRoot } from '../project-root.ts';

const rootUrl = RegExp.escape(pathToFileURL(projectRoot).href);
const rootPath = RegExp.escape(projectRoot);
/** The project's own path may contain the name of a foreign place. */
const ownPath = new RegExp(`(?<=^|[ (])(${rootUrl}|${rootPath})`, 'gm');
/** The bundle is that of the sandbox. */
const foreignPlaces = ['node:', 'node_modules/', 'infra/local/', 'lib/lambda-worker.mjs', 'bin/node-24.mjs'];

/** Removes the stack frames of Node, packages and the local API, and the path of the project. */
export const withoutForeignFrames = (text: string): string =>
  text
    .replaceAll(ownPath, '')
    .split('\n')
    .filter((line) => !(line.startsWith('    at ') && isForeign(line)))
    .join('\n');

/** A frame without a file, such as `at new Promise (<anonymous>)`, is foreign too. */
const isForeign = (frame: string) =>
  !frame.includes('/') || foreignPlaces.some((place) => frame.includes(place));
