import { inSource } from './source-position.ts';

// The first module of every bundle: makes stack traces name source lines, not bundle lines. Source maps are
// loaded on first use; Node's --enable-source-maps would read them at start.
// https://v8.dev/docs/stack-trace-api#customizing-stack-traces
Error.prepareStackTrace = (error, callSites) =>
  [`${error}`, ...callSites.map((callSite) => `    at ${inSource(`${callSite}`)}`)].join('\n');
