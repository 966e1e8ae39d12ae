import { vi } from 'vitest';

// The test files of a worker share modules: a file need not undo what applies to all of its tests, such as mocks,
// but it does not change the state of a module that others use.
vi.useRealTimers();
vi.restoreAllMocks();
vi.unstubAllEnvs();
