export const nav = {
  getStarted: 'Get started',
  overview: 'Overview',
  inbox: 'Inbox',
  sales: 'Sales',
  commissions: 'Commissions',
  partners: 'Partners',
  payouts: 'Payouts',
  programme: 'Programme',
  developers: 'Developers',
  settings: 'Settings',
};
