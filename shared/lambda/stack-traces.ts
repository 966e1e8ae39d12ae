import type { SourceMap } from 'node:module';

const sourceMaps = new Map<string, SourceMap | undefined>();

// The first module of every bundle: makes stack traces name source lines, not bundle lines. Source maps are
// loaded on first use; Node's --enable-source-maps would read them at start.
// https://v8.dev/docs/stack-trace-api#customizing-stack-traces
Error.prepareStackTrace = (error, callSites) =>
  [`${error}`, ...callSites.map((callSite) => `    at ${inSource(`${callSite}`)}`)].join('\n');

/** Returns a stack frame with its source position in place of the one in the bundle. */
function inSource(frame: string): string {
  return frame.replace(/(file:.+):(\d+):(\d+)/, (place, url: string, line: string, column: string) => {
    if (!sourceMaps.has(url)) sourceMaps.set(url, readSourceMap(`${url}.map`));
    const origin = sourceMaps.get(url)?.findOrigin(Number(line), Number(column));
    return origin && 'fileName' in origin
      ? `${origin.fileName}:${origin.lineNumber}:${origin.columnNumber}`
      : place;
  });
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
