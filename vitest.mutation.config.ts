import { defineConfig } from 'vitest/config';

// Of the tests, those that run what is mutated in their own process, and quickly.
export default defineConfig({
  test: {
    testTimeout: 30_000,
    include: ['test/{shared,functions}/**/*.test.ts'],
    globalSetup: 'test/support/setup/dynamodb.ts',
    setupFiles: 'test/support/setup/tables.ts',
  },
});
