import { vi } from 'vitest';

// The test files of a worker share modules: a file need not undo what applies to all of its tests, such as mocks,
// but it does not change the state of a module that others use.
vi.useRealTimers();
vi.restoreAllMocks();
vi.unstubAllEnvs();

/** Ends a worker whose run was killed: it would go on with its file, and with what that has started. */
function endWithRun() {
  process.kill(process.pid, 'SIGKILL');
}
const names = process.listeners('disconnect').map(({ name }) => name);
if (!names.includes(endWithRun.name)) process.on('disconnect', endWithRun);
