const transform = {
  '^.+\\.ts$': [
    '@swc/jest',
    {
      jsc: {
        target: 'es2024',
        parser: { syntax: 'typescript', decorators: true },
        transform: { legacyDecorator: true, decoratorMetadata: true },
      },
      module: { type: 'es6' },
      sourceMaps: 'inline',
    },
  ],
};

const project = (displayName, testMatch, more = {}) => ({
  displayName,
  rootDir: import.meta.dirname,
  testEnvironment: 'node',
  testMatch,
  modulePathIgnorePatterns: ['/dist/', '/.local/'],
  extensionsToTreatAsEsm: ['.ts'],
  transform,
  moduleNameMapper: {
    '^@gateway/([a-z-]+)$': '<rootDir>/packages/$1/src/index.ts',
    '^(\\.{1,2}/.*)\\.js$': '$1',
  },
  ...more,
});

export default {
  // Only a hanging test should reach this limit, even on a busy machine.
  testTimeout: 180_000,
  projects: [
    project('unit', [
      '<rootDir>/{apps,packages}/*/src/**/!(*.int).spec.ts',
      '<rootDir>/{infra,bench,packages/bundler,packages/postgres/prisma}/**/!(*.int).spec.mjs',
    ]),
    project('integration', [
      '<rootDir>/{apps,packages}/*/src/**/*.int.spec.ts',
      '<rootDir>/{infra,bench}/**/*.int.spec.mjs',
    ]),
    project('scenario', ['<rootDir>/tests/e2e/**/*.scenario.ts'], {
      setupFilesAfterEnv: ['<rootDir>/tests/e2e/support/hold-contract.ts'],
    }),
  ],
};
