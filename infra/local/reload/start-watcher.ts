import { isMainThread, Worker } from 'node:worker_threads';

// Loaded before the CDK app, also by each worker that the app may start.

// The watcher has none of the app's arguments.
if (isMainThread) new Worker(new URL('./app-watcher.ts', import.meta.url), { execArgv: [] }).unref();
