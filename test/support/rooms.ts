/**
 * The domain folders of activities/ and the ones that each may import: the one place where these
 * arrows are declared. `runtime` is the ground under all of them; `journal` is what a change leaves.
 */
export const rooms: Readonly<Record<string, readonly string[]>> = {
  runtime: [],
  journal: ['runtime'],
  notifications: ['journal', 'runtime'],
  credentials: ['notifications', 'journal', 'runtime'],
  accounts: ['credentials', 'notifications', 'journal', 'runtime'],
  workspace: ['accounts', 'credentials', 'notifications', 'journal', 'runtime'],
  programs: ['journal', 'runtime'],
  commissions: ['journal', 'runtime'],
  partners: ['programs', 'commissions', 'journal', 'runtime'],
  clicks: ['partners', 'runtime'],
  conversions: ['commissions', 'journal', 'runtime'],
  settlement: ['conversions', 'commissions', 'journal', 'runtime'],
  payouts: ['settlement', 'commissions', 'journal', 'runtime'],
  stripe: ['conversions', 'settlement', 'clicks', 'notifications', 'journal', 'runtime'],
  purchases: ['conversions', 'settlement', 'stripe', 'journal', 'runtime'],
  webhooks: ['notifications', 'journal', 'runtime'],
  mail: ['accounts', 'workspace', 'journal', 'runtime'],
  'test-data': ['notifications', 'journal', 'runtime'],
  waitlist: ['journal', 'runtime'],
  maintenance: [
    'accounts',
    'clicks',
    'commissions',
    'journal',
    'notifications',
    'stripe',
    'test-data',
    'webhooks',
    'runtime',
  ],
  analytics: ['runtime'],
  erasure: ['accounts', 'credentials', 'partners', 'journal', 'runtime'],
};
