/** Calls `stop` when this process is asked to end. */
export function stopOnSignals(stop: () => void): void {
  // A terminal that is closed sends SIGHUP.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, stop);
  // `npm start | head` stops it, as with other programs.
  for (const output of [process.stdout, process.stderr]) output.on('error', stop);
}
