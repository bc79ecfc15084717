import './../ui/styles.css';
import { Session } from '../session/session';
import { start } from '../ui/router';
import { MerchantShell } from './shell';

void start({
  session: new Session('merchant'),
  basepath: '/app',
  shell: MerchantShell,
  pages: {
    '/': () => import('./pages/get-started'),
    '/overview': () => import('./pages/overview'),
    '/inbox': () => import('./pages/inbox'),
    '/sales': () => import('./pages/sales'),
    '/customers': () => import('./pages/customers'),
    '/sales/$conversionId': () => import('./pages/sale'),
    '/commissions': () => import('./pages/commissions'),
    '/commissions/$programId/$commissionId': () => import('./pages/commission'),
    '/partners': () => import('./pages/partners'),
    '/partners/$programId/$participantId': () => import('./pages/partner'),
    '/payouts': () => import('./pages/payouts'),
    '/payouts/$payoutId': () => import('./pages/payout'),
    '/programme': () => import('./pages/programme'),
    '/developers': () => import('./pages/developers'),
    '/developers/webhooks/$webhookId': () => import('./pages/webhook'),
    '/settings': () => import('./pages/settings'),
  },
});
