import type { SourceMap } from 'node:module';

// The first module of every bundle: stack traces name the lines of the source, not those of the bundle. Maps, and what
// it takes to read them, are loaded when a trace is; Node's own --enable-source-maps would read every map at start.
// https://v8.dev/docs/stack-trace-api#customizing-stack-traces
Error.prepareStackTrace = (error, callSites) =>
  [nameOf(error), ...callSites.map((callSite) => `    at ${inSource(`${callSite}`)}`)].join('\n');

const sourceMaps = new Map<string, SourceMap | undefined>();

/** What throws here would take the place of the error: rather no name, and no map, than that. */
function nameOf(error: Error): string {
  try {
    return `${error}`;
  } catch {
    return '<error>';
  }
}

function inSource(callSite: string): string {
  return callSite.replace(/(file:.+):(\d+):(\d+)/, (place, url: string, line: string, column: string) => {
    const origin = sourceMapOf(url)?.findOrigin(Number(line), Number(column));
    return origin && 'fileName' in origin
      ? `${origin.fileName}:${origin.lineNumber}:${origin.columnNumber}`
      : place;
  });
}

function sourceMapOf(url: string): SourceMap | undefined {
  if (!sourceMaps.has(url)) sourceMaps.set(url, readSourceMap(`${url}.map`));
  return sourceMaps.get(url);
}

function readSourceMap(url: string): SourceMap | undefined {
  const { readFileSync } = process.getBuiltinModule('node:fs');
  const { SourceMap } = process.getBuiltinModule('node:module');
  try {
    return new SourceMap(JSON.parse(readFileSync(new URL(url), 'utf8')));
  } catch {
    return undefined;
  }
}
