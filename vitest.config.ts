import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    testTimeout: 30_000,
    hookTimeout: 30_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['test/{shared,functions}/**/*.test.ts'],
          globalSetup: 'test/setup/dynamodb.ts',
          setupFiles: 'test/setup/tables.ts',
        },
      },
      { extends: true, test: { name: 'infra', include: ['test/infra/**/*.test.ts'] } },
      {
        extends: true,
        test: { name: 'e2e', include: ['test/e2e/**/*.test.ts'], globalSetup: 'test/setup/base-url.ts' },
      },
    ],
  },
});
