import type { SourceMap } from 'node:module';

const maps = new Map<string, SourceMap | undefined>();

// Injected by bundle-options.ts as the first module of every bundle: makes stack traces name lines of the source.
// Source maps are loaded on first use; Node's --enable-source-maps would read them at start.
// https://v8.dev/docs/stack-trace-api#customizing-stack-traces
Error.prepareStackTrace = (error, callSites) =>
  [`${error}`, ...callSites.map((callSite) => `    at ${inSource(callSite)}`)].join('\n');

/** Returns the position of a stack frame in the source, or the frame itself if it is not of a bundle. */
function inSource(callSite: NodeJS.CallSite): string {
  const url = callSite.getFileName() ?? '';
  if (!maps.has(url)) maps.set(url, readMap(url));
  const origin = maps.get(url)?.findOrigin(callSite.getLineNumber() ?? 0, callSite.getColumnNumber() ?? 0);
  if (!origin || !('fileName' in origin)) return `${callSite}`;
  return `${origin.fileName}:${origin.lineNumber}:${origin.columnNumber}`;
}

function readMap(url: string): SourceMap | undefined {
  const { readFileSync } = process.getBuiltinModule('node:fs');
  const { SourceMap } = process.getBuiltinModule('node:module');
  try {
    return new SourceMap(JSON.parse(readFileSync(new URL(`${url}.map`), 'utf8')));
  } catch {
    return undefined;
  }
}
