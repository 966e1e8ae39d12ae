// Moves the clock of a process or a worker thread that preloads it: `--import <this file>?2030-12-06T00:00:00Z`.
import { ServerResponse } from 'node:http';

const { Date: RealDate } = globalThis;
const offset = RealDate.parse(new URL(import.meta.url).search.slice(1)) - RealDate.now();
const now = () => RealDate.now() + offset;

globalThis.Date = new Proxy(RealDate, {
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
});

// Node takes the Date header from the real clock, and the SDK would correct its own clock by it.
const { writeHead } = ServerResponse.prototype;
ServerResponse.prototype.writeHead = function (...args) {
  if (this.sendDate && !this.hasHeader('Date')) this.setHeader('Date', new Date().toUTCString());
  return writeHead.apply(this, args);
};
