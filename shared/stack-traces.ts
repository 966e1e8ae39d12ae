import { existsSync, readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { fileURLToPath } from 'node:url';

// The first module of every bundle: stack traces name the lines of the source, not those of the bundle. A map is read
// when a trace is; Node's own --enable-source-maps would read all of them at start.
// https://v8.dev/docs/stack-trace-api#customizing-stack-traces
Error.prepareStackTrace = (error, callSites) =>
  [error, ...callSites.map((callSite) => `    at ${inSource(`${callSite}`)}`)].join('\n');

const sourceMaps = new Map<string, SourceMap | undefined>();

function inSource(callSite: string): string {
  return callSite.replace(/(file:.+):(\d+):(\d+)/, (place, url: string, line: string, column: string) => {
    const origin = sourceMapOf(url)?.findOrigin(Number(line), Number(column));
    return origin && 'fileName' in origin
      ? `${origin.fileName}:${origin.lineNumber}:${origin.columnNumber}`
      : place;
  });
}

function sourceMapOf(url: string): SourceMap | undefined {
  if (!sourceMaps.has(url)) {
    const file = `${fileURLToPath(url)}.map`;
    sourceMaps.set(url, existsSync(file) ? new SourceMap(JSON.parse(readFileSync(file, 'utf8'))) : undefined);
  }
  return sourceMaps.get(url);
}
