import { vi } from 'vitest';

// The test files of a worker share loaded libraries, but no module of ours and no mock, so a file need not
// undo what applies to all of its tests.
vi.useRealTimers();
vi.restoreAllMocks();
vi.unstubAllEnvs();
vi.resetModules();
