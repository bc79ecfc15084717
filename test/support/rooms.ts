/**
 * The domain folders of activities/ and the ones that each may import: the one place where these
 * arrows are declared. `runtime/` is the ground under all of them; `journal` is what a change leaves.
 */
export const rooms: Readonly<Record<string, readonly string[]>> = {
  journal: [],
  notifications: ['journal'],
  credentials: ['notifications', 'journal'],
  suppression: ['journal'],
  accounts: ['credentials', 'suppression', 'notifications', 'journal'],
  workspace: ['accounts', 'credentials', 'notifications', 'journal'],
  programs: ['journal'],
  commissions: ['journal'],
  partners: ['programs', 'commissions', 'journal'],
  clicks: ['partners'],
  conversions: ['commissions', 'journal'],
  settlement: ['conversions', 'commissions', 'journal'],
  payouts: ['settlement', 'commissions', 'journal'],
  stripe: ['conversions', 'settlement', 'clicks', 'notifications', 'journal'],
  purchases: ['conversions', 'settlement', 'stripe', 'journal'],
  webhooks: ['notifications', 'journal'],
  mail: ['accounts', 'suppression', 'workspace', 'journal'],
  'test-data': ['notifications', 'journal'],
  waitlist: ['journal'],
  maintenance: [
    'accounts',
    'clicks',
    'commissions',
    'journal',
    'notifications',
    'stripe',
    'test-data',
    'webhooks',
  ],
  analytics: [],
  erasure: ['accounts', 'credentials', 'partners', 'journal'],
};
