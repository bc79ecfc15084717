import './../ui/styles.css';
import { Session } from '../session/session';
import { start } from '../ui/router';
import { MerchantShell } from './shell';

void start({
  session: new Session('merchant'),
  basepath: '/app',
  shell: MerchantShell,
  pages: {
    '/': () => import('./get-started/get-started'),
    '/overview': () => import('./overview/overview'),
    '/inbox': () => import('./inbox/inbox'),
    '/sales': () => import('./sales/sales'),
    '/customers': () => import('./customers/customers'),
    '/sales/$conversionId': () => import('./sales/sale'),
    '/commissions': () => import('./commissions/commissions'),
    '/commissions/$programId/$commissionId': () => import('./commissions/commission'),
    '/partners': () => import('./partners/partners'),
    '/partners/$programId/$participantId': () => import('./partners/partner'),
    '/payouts': () => import('./payouts/payouts'),
    '/payouts/books': () => import('./payouts/books'),
    '/payouts/books/ledger': () => import('./payouts/ledger'),
    '/payouts/$payoutId': () => import('./payouts/payout'),
    '/programme': () => import('./programme/programme'),
    '/developers': () => import('./developers/developers'),
    '/developers/webhooks/$webhookId': () => import('./developers/webhook'),
    '/move-in': () => import('./moving/move-in'),
    '/move-in/$programId/$importId': () => import('./moving/import'),
    // Nothing leads there: it is for whoever changes a component.
    '/design': () => import('./design/design'),
    '/settings': () => import('./settings/settings'),
  },
});
