import path from 'node:path';
import { ROOT } from '../bootstrap/run.mjs';
import { foldersIn } from './folders-in.mjs';

/**
 * The parts of the night. Each takes less than ten minutes on two processors that are idle, so that `.ci/run`
 * has time for one behind the day's suites.
 *
 * `suites` are paths or beginnings of paths of `*.nightly.ts`; `daily` are the day's own suites in another
 * setting; `script` is a program of ours. `env` is what they find in their environment.
 */
const shards = (count) => Array.from({ length: count }, (_, index) => `${index + 1}/${count}`);

/** Suites in which processes, transactions and outages meet: all through a pooler. */
const pooler = Object.fromEntries(
  shards(3).map((shard, index) => [
    `pooler-${index + 1}`,
    {
      daily: [
        `--shard=${shard}`,
        ...['api', 'activities', 'faults', 'workers'].map((name) => `test/${name}`),
      ],
      env: { TEST_POOLER: '1' },
    },
  ]),
);

/**
 * The day's suites, those that share a file in another order each night. What is red says its seed, and
 * `TEST_ORDER_SEED=… npm run test:nightly orders-1` runs that order again.
 */
const orders = Object.fromEntries(
  shards(3).map((shard, index) => [
    `orders-${index + 1}`,
    {
      daily: [`--shard=${shard}`],
      env: { TEST_ORDER_SEED: String((Date.now() + index) % 1_000_000_000) },
    },
  ]),
);

/** Many more sequences of the models of money and of a customer, others in each part and each night: 5,000 in all. */
const models = Object.fromEntries(
  [1, 2, 3, 4].map((n) => [
    `model-${n}`,
    {
      daily: [
        'test/activities/settlement/model.test.ts',
        'test/activities/customers/orders.test.ts',
      ],
      env: {
        MODEL_SEQUENCES: '500',
        CUSTOMER_SEQUENCES: '420',
        MODEL_SEED: String((Date.now() + n) % 1_000_000_000),
      },
    },
  ]),
);

/** Each third folder of the rules. */
const ruleFolders = foldersIn(path.join(ROOT, 'entities', 'rules'));
const mutants = Object.fromEntries(
  [0, 1, 2].map((third) => [
    `mutants-${third + 1}`,
    {
      script: [
        'stack/test-run/mutants.mjs',
        ...ruleFolders.filter((_, index) => index % 3 === third),
      ],
    },
  ]),
);

export const parts = {
  ...pooler,
  ...orders,
  kills: {
    suites: ['import', 'main-job', 'parts', 'webhooks'].map((name) => `test/faults/${name}`),
  },
  sending: { suites: ['test/faults/sending'] },
  /** Other stories of payouts on their way each night. */
  stories: {
    daily: ['test/activities/sending/stories.test.ts'],
    env: { SENDING_STORIES: '80', SENDING_SEED: String(Date.now() % 1_000_000_000) },
  },
  outages: {
    suites: ['temporal-cloud', 'mails', 'digest', 'recovery'].map((name) => `test/faults/${name}`),
  },
  postgres: { suites: ['test/faults/postgres-stops'] },
  connections: { suites: ['test/faults/backend-dies', 'test/faults/streams'] },
  stack: {
    suites: ['stack', 'deploy', 'demo', 'live-feeds'].map((name) => `test/faults/${name}`),
  },
  fleet: { suites: ['test/fleet'], env: { TEST_POOLER: '1' } },
  data: {
    suites: [
      'activities/payouts',
      'activities/sending',
      'activities/settlement',
      'api/analytics',
    ].map((name) => `test/${name}`),
  },
  /** What billers tell, in every order and with odd values everywhere. */
  billing: { suites: ['test/activities/billing'] },
  /** Stories of customers in processes that die, and of programmes that leave. */
  customers: { suites: ['test/activities/customers', 'test/api/imports'] },
  commands: { suites: ['test/workers', 'test/workflows'] },
  /** What deploying.md says, with what the manifests render to. */
  manifests: { suites: ['test/manifests'] },
  pages: {
    suites: ['docs-page', 'examples', 'integrate', 'mail-pages', 'snippet-service'].map(
      (name) => `test/browser/${name}`,
    ),
  },
  dashboard: { suites: ['test/browser/dashboard'] },
  documents: { suites: ['test/contract'] },
  'odd-input': { suites: ['test/api/http'] },
  'client-packed': { suites: ['test/api/client/packed'] },
  'client-generators': { suites: ['test/api/client/generators'] },
  'client-python': { suites: ['test/api/client-python'] },
  ...models,
  /** Forty days of the simulated year: upkeep finds each day what was broken for it. */
  year: { script: ['bench/run.mjs', 'year/year', '40'] },
  ...mutants,
};

/** The part whose turn it is after so many commits. */
export function partOfTurn(commits) {
  const names = Object.keys(parts);
  return names[commits % names.length];
}

/** `pooler` stands for `pooler-1` and those after it. Throws where there is none. */
export function partsNamed(asked) {
  const all = Object.keys(parts);
  const named = all.filter((name) => name === asked || name.replace(/-\d+$/, '') === asked);
  if (named.length === 0) throw new Error(`${asked} is none of ${all.join(', ')}.`);
  return named;
}
