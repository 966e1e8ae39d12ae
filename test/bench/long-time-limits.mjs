// Gives each time limit of a process that preloads it a hundred times the time, for a machine with other work.
const { setTimeout: realSetTimeout } = globalThis;

globalThis.setTimeout = (callback, milliseconds, ...args) =>
  realSetTimeout(callback, milliseconds * 100, ...args);
