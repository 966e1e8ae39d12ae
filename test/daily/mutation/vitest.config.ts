import { defineConfig } from 'vitest/config';

// The fast tests, which run the mutated code in their own process.
export default defineConfig({
  test: {
    testTimeout: 30_000,
    include: ['test/{shared,functions}/**/*.test.ts', 'bin/reference/test/document.test.ts'],
    // What these notice, faster tests notice too.
    exclude: ['test/functions/{costs,exactly-once}.test.ts'],
    // The linter runs no mutated code.
    testNamePattern: /^(?!.*redocly)/,
    globalSetup: 'test/support/setup/dynamodb.ts',
    setupFiles: 'test/support/setup/tables.ts',
  },
});
