import { vi } from 'vitest';

// Each test file has modules of its own, because it mocks them or they keep what the environment says.
vi.resetModules();
