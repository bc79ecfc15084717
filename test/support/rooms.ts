/** The rooms of a folder and the ones that each may import. */
export type Rooms = Readonly<Record<string, readonly string[]>>;

/** Domains; `journal` is what a change leaves. */
const activities: Rooms = {
  journal: [],
  notifications: ['journal'],
  credentials: ['notifications', 'journal'],
  suppression: ['journal'],
  accounts: ['credentials', 'suppression', 'notifications', 'journal'],
  workspace: ['accounts', 'credentials', 'notifications', 'billing', 'test-data', 'journal'],
  programs: ['notifications', 'journal'],
  commissions: ['journal'],
  partners: ['accounts', 'programs', 'commissions', 'notifications', 'journal'],
  clicks: ['partners'],
  customers: [],
  conversions: ['commissions', 'customers', 'programs', 'journal'],
  settlement: ['conversions', 'commissions', 'journal'],
  standings: ['partners', 'programs', 'commissions', 'notifications', 'journal'],
  'back-test': ['programs', 'settlement'],
  credit: ['conversions', 'settlement', 'customers', 'clicks', 'commissions', 'journal'],
  sending: ['accounts', 'payouts', 'journal', 'notifications'],
  payouts: ['accounts', 'settlement', 'commissions', 'journal', 'notifications'],
  billing: ['credit', 'conversions', 'settlement', 'clicks', 'notifications', 'journal'],
  purchases: [
    ...[
      'credit',
      'conversions',
      'customers',
      'settlement',
      'billing',
      'programs',
      'notifications',
      'journal',
    ],
  ],
  imports: [
    ...['accounts', 'partners', 'programs', 'customers', 'conversions', 'commissions', 'billing'],
    ...['settlement', 'journal'],
  ],
  webhooks: ['notifications', 'journal'],
  mail: ['accounts', 'notifications', 'suppression', 'workspace', 'journal'],
  'test-data': ['notifications', 'journal'],
  waitlist: ['journal'],
  maintenance: [
    ...[
      'commissions',
      'erasure',
      'figures',
      'imports',
      'journal',
      'notifications',
      'sending',
      'billing',
      'test-data',
      'webhooks',
      'workspace',
    ],
  ],
  figures: ['accounts', 'billing', 'journal'],
  explain: [],
  analytics: [],
  erasure: ['accounts', 'credentials', 'imports', 'partners', 'journal'],
  restore: ['analytics', 'sending', 'erasure', 'billing', 'journal'],
};

/** `http/` is the ground: what a route declares, what a request passes, the rest of a server. */
const api: Rooms = {
  'http/contract': [],
  'http/checks': ['http/contract'],
  'http/server': ['http/checks', 'http/contract'],
  access: [],
  snippet: [],
  web: ['http/checks', 'http/contract', 'http/server'],
  auth: ['http/checks', 'http/contract'],
  workspace: ['access', 'auth', 'http/contract'],
  inbound: ['auth', 'http/contract'],
  pages: ['auth', 'http/contract'],
  stripe: ['auth', 'billers', 'http/contract'],
  billers: ['auth', 'http/contract'],
  programs: ['access', 'http/contract'],
  groups: ['access', 'programs', 'http/contract'],
  imports: ['access', 'http/contract', 'http/server'],
  leaving: ['access', 'programs', 'http/contract', 'http/server'],
  participants: ['access', 'http/contract'],
  'partner-invites': ['access', 'auth', 'participants', 'programs', 'http/contract'],
  'partner-portal': ['access', 'auth', 'participants', 'programs', 'http/contract'],
  tracking: ['snippet', 'docs', 'http/contract', 'http/checks', 'http/server'],
  conversions: ['access', 'http/contract'],
  customers: ['access', 'conversions', 'http/contract'],
  attribution: ['access', 'conversions', 'http/contract'],
  payouts: ['access', 'http/contract', 'http/server'],
  sending: ['access', 'auth', 'payouts', 'http/contract'],
  commissions: ['access', 'payouts', 'http/contract', 'http/server'],
  analytics: ['access', 'http/contract', 'http/server'],
  exports: ['access', 'participants', 'payouts', 'http/contract', 'http/server'],
  erasure: ['access', 'participants', 'http/contract'],
  fraud: ['access', 'http/contract'],
  notifications: ['http/contract'],
  webhooks: ['conversions', 'http/contract'],
  'test-mode': ['http/contract'],
  waitlist: ['http/contract'],
  health: ['http/contract'],
  docs: ['webhooks', 'http/contract', 'http/server'],
};

const workers: Rooms = {
  temporal: [],
  relay: ['temporal'],
  dispatcher: ['relay'],
  commands: ['temporal'],
};

/** `process` is the roof: it opens all that the others offer. */
const runtime: Rooms = {
  config: [],
  observe: [],
  load: [],
  outbound: [],
  'payout-providers': ['outbound'],
  crypto: ['config', 'load'],
  temporal: ['config'],
  connections: ['config', 'crypto', 'load', 'observe', 'outbound'],
  process: ['config', 'connections', 'crypto', 'load', 'observe', 'outbound', 'temporal'],
};

/** `values` are what all rules speak of: money, modes, times. */
const rules: Rooms = {
  values: [],
  accounts: ['values'],
  clicks: ['values'],
  analytics: ['values'],
  fraud: ['values'],
  mail: ['values'],
  partners: ['values'],
  payouts: ['values'],
  programs: ['values'],
  billing: ['payments', 'values'],
  stripe: ['billing', 'payments', 'values'],
  paddle: ['billing', 'values'],
  polar: ['billing', 'values'],
  'test-data': ['values'],
  workspace: ['values'],
  commissions: ['programs', 'values'],
  customers: ['values'],
  attribution: ['commissions', 'customers', 'fraud', 'partners', 'programs', 'values'],
  payments: ['attribution', 'commissions', 'customers', 'values'],
  imports: ['partners', 'programs', 'commissions', 'values'],
  erasure: ['partners', 'values'],
  retention: ['accounts', 'erasure', 'values'],
  // What its events carry is said in the words of whoever makes them.
  webhooks: ['attribution', 'commissions', 'fraud', 'partners', 'payouts', 'programs', 'values'],
  notifications: ['accounts', 'commissions', 'fraud', 'mail', 'partners', 'webhooks', 'values'],
};

/**
 * The one place where the arrows between rooms are declared, by folder. A file that stands in no
 * room, such as `api/app.ts`, puts rooms together and may import all of its folder.
 */
export const rooms: Readonly<Record<string, Rooms>> = {
  activities,
  api,
  workers,
  runtime,
  'entities/rules': rules,
};
