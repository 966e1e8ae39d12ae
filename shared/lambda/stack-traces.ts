import type { SourceMap } from 'node:module';

/** A bundle and its source map. */
interface Bundle {
  readonly lines: readonly string[];
  readonly map: SourceMap;
}

const bundles = new Map<string, Bundle | undefined>();

// The first module of every bundle: makes stack traces name functions and lines of the source, not of the
// bundle. Source maps are loaded on first use; Node's --enable-source-maps would read them at start.
// https://v8.dev/docs/stack-trace-api#customizing-stack-traces
Error.prepareStackTrace = (error, callSites) =>
  [`${error}`, ...callSites.map((callSite) => `    at ${inSource(callSite)}`)].join('\n');

/** Returns a stack frame with its name and position in the source in place of those in the bundle. */
function inSource(callSite: NodeJS.CallSite): string {
  return `${callSite}`.replace(
    /(?:([\w$]+) \()?(file:.+):(\d+):(\d+)/,
    (place, name: string | undefined, url: string, line: string, column: string) => {
      if (!bundles.has(url)) bundles.set(url, readBundle(url));
      const bundle = bundles.get(url);
      const origin = bundle?.map.findOrigin(Number(line), Number(column));
      if (!bundle || !origin || !('fileName' in origin)) return place;
      const position = `${origin.fileName}:${origin.lineNumber}:${origin.columnNumber}`;
      return name === undefined ? position : `${nameInSource(name, callSite, bundle)} (${position}`;
    },
  );
}

/**
 * Returns the name of a function in the source. The map has it where the bundle declares the minified name,
 * as in `async function a(` or `a=(`. To keep it in the bundle would make the bundle 7% larger.
 */
function nameInSource(minified: string, callSite: NodeJS.CallSite, { lines, map }: Bundle): string {
  const line = (callSite.getEnclosingLineNumber() ?? 0) - 1;
  const start = (callSite.getEnclosingColumnNumber() ?? 0) - 1;
  const text = lines[line] ?? '';
  const isAssigned = text.endsWith(`${minified}=`, start);
  const keyword = /^(?:async )?function\*? /.exec(text.slice(start, start + 20))?.[0] ?? '';
  const column = isAssigned ? start - minified.length - 1 : start + keyword.length;
  const entry = map.findEntry(line, column);
  const isDeclared = 'generatedColumn' in entry && entry.generatedColumn === column;
  return isDeclared && 'name' in entry && typeof entry.name === 'string' ? entry.name : minified;
}

function readBundle(url: string): Bundle | undefined {
  const { readFileSync } = process.getBuiltinModule('node:fs');
  const { SourceMap } = process.getBuiltinModule('node:module');
  const read = (file: string) => readFileSync(new URL(file), 'utf8');
  try {
    return { lines: read(url).split('\n'), map: new SourceMap(JSON.parse(read(`${url}.map`))) };
  } catch {
    return undefined;
  }
}
