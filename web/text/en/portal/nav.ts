export const nav = {
  home: 'Home',
  links: 'Links',
  earnings: 'Earnings',
  payouts: 'Payouts',
  programmes: 'Programmes',
  settings: 'Settings',
};
