import { exampleAmount } from '../ui/typed';
import { signIn } from './en/account/sign-in';
import { mails } from './en/account/mails';
import { personal } from './en/account/personal';
import { design } from './en/app/design';
import { find } from './en/app/find';
import { nav } from './en/app/nav';
import { getStarted } from './en/app/get-started';
import { overview } from './en/app/overview';
import { inbox } from './en/app/inbox';
import { sales } from './en/app/sales';
import { customers } from './en/app/customers';
import { commissions } from './en/app/commissions';
import { partners } from './en/app/partners';
import { payouts } from './en/app/payouts';
import { books } from './en/app/books';
import { programme } from './en/app/programme';
import { billing } from './en/app/billing';
import { developers } from './en/app/developers';
import { settings } from './en/app/settings';
import { closing } from './en/app/closing';
import { nav as partnerNav } from './en/portal/nav';
import { home as partnerHome } from './en/portal/home';
import { links as partnerLinks } from './en/portal/links';
import { earnings as partnerEarnings } from './en/portal/earnings';
import { payouts as partnerPayouts } from './en/portal/payouts';
import { programmes as partnerProgrammes } from './en/portal/programmes';
import { join as partnerJoin } from './en/portal/join';
import { settings as partnerSettings } from './en/portal/settings';

/**
 * Every word that pages show: what many share here, those of a page in its own file of en/. Another
 * language is another file of this shape.
 */
export const text = {
  product: 'Affiliate Programme',
  loading: 'Loading…',
  working: 'Still working…',
  asOf: (time: string) => `As of ${time}.`,
  noAmount: (currency: string) => `Must be an amount such as ${exampleAmount(currency)}.`,
  notUtf8: 'This file is not text in UTF-8. Save it as “CSV UTF-8”.',
  noMoment: 'Must be a day and a time.',
  done: 'Done',
  toDo: 'To do',
  noPercent: 'Must be a percentage such as 20 or 12.5.',
  networkAway: 'The server does not answer.',
  offline:
    'You are offline. What stands here is of before; it goes on by itself when the network is back.',
  notLoaded: 'This page did not load',
  retry: 'Try again',
  requestId: (id: string) => `Request ${id}`,
  notAllowed: 'Your role does not allow this.',
  nothing: '–',
  copy: 'Copy',
  copied: 'Copied',
  copyByHand: 'The browser does not copy here: press Ctrl C.',
  cancel: 'Cancel',
  close: 'Close',
  open: (what: string) => `Open ${what}`,
  noneFits: 'Nothing fits.',
  clearFilters: 'Clear filters',
  trail: 'Breadcrumb',
  menu: 'Menu',
  fold: 'Fold',
  unfold: 'Unfold',
  save: 'Save',
  saved: 'Saved.',
  search: 'Search',
  all: 'All',
  without: (filter: string) => `${filter}: one. Show all`,
  yes: 'Yes',
  no: 'No',
  nextPage: 'Next page',
  previousPage: 'Previous page',
  pageOf: (page: number, pages: number, total: string) =>
    `Page ${page} of ${pages}, ${total} in all`,
  rows: 'Rows',
  program: 'Programme',
  status: 'Status',
  from: 'From',
  to: 'To',
  created: 'Created',
  amount: 'Amount',
  partner: 'Partner',
  reason: 'Reason',
  email: 'Email',
  password: 'Password',
  name: 'Name',
  actions: 'Actions',
  export: 'Export',
  details: 'Details',
  account: 'Account',
  signOut: 'Sign out',
  mode: 'Mode',
  test: 'Test',
  live: 'Live',
  testMode: 'Test mode: nothing here is paid and nobody is mailed for real.',
  main: 'Main',
  notifications: 'Notifications',
  unread: (count: number) => (count === 0 ? 'Notifications' : `Notifications, ${count} unread`),
  noNotifications: 'Nothing new.',
  readAll: 'Mark all as read',
  dismissRead: 'Remove read ones',
  billers: { stripe: 'Stripe', paddle: 'Paddle', polar: 'Polar', another: 'Another' },
  discounts: {
    one: 'Discount',
    none: 'Nothing',
    percentOff: (share: string) => `${share} off`,
    amountOff: (amount: string) => `${amount} off`,
    once: 'once',
    always: 'for ever',
    months: (count: number) => (count === 1 ? 'for one month' : `for ${count} months`),
    inWords: (what: string, howLong: string) => `${what}, ${howLong}`,
  },
  notFound: 'There is no such page.',
  backToStart: 'Back to the start',
  signIn,
  mails,
  keys: {
    shownOnce:
      'These secret keys are shown once: keep them on your server. The public ones stay at Developers.',
    seen: 'I have kept them',
  },
  day: 'Day',
  beforeWas: (value: string) => `${value} the period before`,
  figures: 'The figures as a table',
  statuses: {
    pending: 'Pending',
    approved: 'Approved',
    rejected: 'Rejected',
    paid: 'Paid',
    refunded: 'Refunded',
    suspended: 'Suspended',
    left: 'Left',
  },
  roles: { viewer: 'Viewer', member: 'Member', admin: 'Admin', owner: 'Owner' },
  personal,
  app: {
    noProgram: 'There is no programme yet. Make the first one:',
    design,
    find,
    nav,
    getStarted,
    overview,
    inbox,
    sales,
    customers,
    commissions,
    partners,
    payouts,
    books,
    programme,
    billing,
    developers,
    settings,
    closing,
  },
  portal: {
    nav: partnerNav,
    home: partnerHome,
    links: partnerLinks,
    earnings: partnerEarnings,
    payouts: partnerPayouts,
    programmes: partnerProgrammes,
    join: partnerJoin,
    settings: partnerSettings,
  },
};
