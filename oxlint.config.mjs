import { defineConfig } from 'oxlint';

/** Import arrows: what a folder may not reach, besides what TypeScript already refuses. */
const arrow = (files, forbidden) => ({
  files,
  rules: {
    'typescript/no-restricted-imports': [
      'error',
      { patterns: forbidden.map(([group, message]) => ({ group, message })) },
    ],
  },
});

const up = (...folders) => folders.flatMap((name) => [`**/${name}/*`, `**/${name}/**`]);
const valueOnly = (group, message) => ({ group, message, allowTypeImports: true });

export default defineConfig({
  plugins: ['eslint', 'typescript', 'oxc'],
  options: { typeAware: true, denyWarnings: true, reportUnusedDisableDirectives: 'error' },
  categories: { correctness: 'error' },
  ignorePatterns: [
    ...['dist/', 'node_modules/', '.stack/', 'coverage/', '**/*.mjs', '**/*.cjs', '**/*.js'],
    'packages/client/src/generated/',
    'packages/client/dist/',
    // A merchant's own files, which compile in a project of their own.
    'docs/integrate/',
  ],
  rules: {
    // Rules of the category that would only forbid what is meant here.
    'typescript/unbound-method': 'off',
    'typescript/no-misused-spread': 'off',
    'typescript/require-array-sort-compare': 'off',
    'typescript/no-base-to-string': 'off',
    'typescript/restrict-template-expressions': 'off',
    'typescript/no-implied-eval': 'off',
    'typescript/no-meaningless-void-operator': 'off',
    'typescript/no-useless-default-assignment': 'off',
    'typescript/no-redundant-type-constituents': 'off',
    'no-unsafe-optional-chaining': 'off',
    'no-control-regex': 'off',
    'typescript/no-explicit-any': 'error',
    'typescript/no-require-imports': 'error',
    'typescript/no-namespace': 'error',
    'typescript/no-empty-object-type': 'error',
    'typescript/no-unsafe-function-type': 'error',
    'typescript/ban-ts-comment': 'error',
    'prefer-const': 'error',
    'no-var': 'error',
    'typescript/no-floating-promises': 'error',
    'typescript/no-misused-promises': ['error', { checksVoidReturn: false }],
    'typescript/consistent-type-imports': [
      'error',
      { fixStyle: 'inline-type-imports', prefer: 'type-imports' },
    ],
    'no-unused-vars': [
      'error',
      { argsIgnorePattern: '^_', varsIgnorePattern: '^_', ignoreRestSiblings: true },
    ],
    'typescript/only-throw-error': 'error',
    'typescript/return-await': ['error', 'error-handling-correctness-only'],
    'no-console': 'error',
    'max-lines': ['error', { max: 350, skipBlankLines: true, skipComments: true }],
    'max-lines-per-function': ['error', { max: 50, skipBlankLines: true, skipComments: true }],
    'max-params': ['error', 3],
    'max-depth': ['error', 3],
    complexity: ['error', 10],
    eqeqeq: 'error',
    'no-restricted-properties': [
      'error',
      {
        object: 'process',
        property: 'env',
        message: 'The environment is read in runtime/config/config.ts only.',
      },
    ],
  },
  overrides: [
    arrow(
      ['entities/**/*.ts'],
      [
        [
          up('runtime', 'activities', 'workflows', 'workers', 'api', 'stack', 'bench', 'test'),
          'entities import nothing of ours',
        ],
        [['koa', '@koa/*', 'ioredis', '@temporalio/*'], 'entities know no transport'],
      ],
    ),
    arrow(
      ['entities/rules/**/*.ts'],
      [
        [
          ['**/database/**', '**/tables/**', '**/migrations/**', '**/errors', '**/ids'],
          'rules import nothing',
        ],
        [['node:*', 'typeorm', 'pg'], 'rules are pure'],
      ],
    ),
    arrow(
      ['runtime/**/*.ts'],
      [
        [
          up('activities', 'workflows', 'workers', 'api', 'stack', 'bench', 'test'),
          'the ground knows nothing of what stands on it',
        ],
      ],
    ),
    arrow(
      ['activities/**/*.ts'],
      [[['koa', '@koa/*', '**/api/**', '**/workers/**', '**/stack/**'], 'activities know no HTTP']],
    ),
    {
      files: ['workflows/**/*.ts'],
      rules: {
        'typescript/no-restricted-imports': [
          'error',
          {
            patterns: [
              valueOnly(up('activities'), 'workflows import types of activities only'),
              {
                group: ['**/*.entity', '**/entities/database/**', '**/entities/tables/**'],
                message: 'never an entity',
              },
              {
                group: ['node:*', 'typeorm', 'pg', 'koa', 'ioredis'],
                message: 'workflows are deterministic',
              },
              { group: up('api', 'workers', 'stack'), message: 'workflows know no process' },
            ],
          },
        ],
      },
    },
    arrow(
      ['workers/**/*.ts'],
      [[['koa', '@koa/*', '**/api/**', '**/stack/**'], 'workers know no HTTP']],
    ),
    arrow(
      ['api/**/*.ts'],
      [[up('workers', 'stack', 'bench', 'test'), 'the api only translates HTTP']],
    ),
    {
      // They start processes, print to people, and hand an environment on.
      files: [
        'stack/**/*.ts',
        'bench/**/*.ts',
        'examples/**/*.jsx',
        'test/**/*.ts',
        'workers/commands/**/*.ts',
        'runtime/config/config.ts',
        'runtime/process/process.ts',
      ],
      rules: { 'no-restricted-properties': 'off', 'no-console': 'off' },
    },
    {
      files: ['web/**/*.ts', 'web/**/*.tsx'],
      rules: {
        'typescript/no-restricted-imports': [
          'error',
          {
            patterns: [
              {
                // Out of web/, there is the client package, and four rules.
                group: [
                  ...up('runtime', 'activities', 'workflows', 'workers', 'api', 'stack', 'bench'),
                  ...up('test', 'entities', 'packages'),
                  '!**/entities/rules/values/currency',
                  '!**/entities/rules/notifications/record-path',
                  '!**/entities/rules/imports/kinds',
                  '!**/entities/rules/payouts/countries',
                  '!**/packages/client/src/**',
                ],
                message:
                  'pages know the client package, how many decimals a currency has, where a notice leads, the columns of imports, and which countries have IBANs',
              },
            ],
          },
        ],
      },
    },
    {
      // Markup stands one attribute a line, and each `&&` of it counts as a branch.
      files: ['web/**/*.tsx'],
      rules: { 'max-lines-per-function': ['error', 100], complexity: ['error', 15] },
    },
    {
      // One small script for browsers, in one piece.
      files: ['api/snippet/selgeo.ts'],
      rules: { 'no-console': ['error', { allow: ['log'] }] },
    },
    { files: ['entities/migrations/*.ts'], rules: { 'max-lines-per-function': 'off' } },
    {
      files: ['test/**/*.ts', 'bench/**/*.ts'],
      rules: {
        'max-lines-per-function': 'off',
        'max-lines': 'off',
        'max-params': 'off',
        complexity: ['error', 20],
        'no-var': 'off',
        'typescript/await-thenable': 'off',
        'typescript/return-await': 'off',
      },
    },
  ],
});
