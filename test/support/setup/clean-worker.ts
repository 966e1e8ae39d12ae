import { vi } from 'vitest';

// The test files of a worker share the libraries that it has loaded, but no module of ours and nothing that one of them
// has replaced: a file need not undo what holds for all of its tests.
vi.useRealTimers();
vi.restoreAllMocks();
vi.unstubAllEnvs();
vi.resetModules();
