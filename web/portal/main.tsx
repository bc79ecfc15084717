import './../ui/styles.css';
import { Session } from '../session/session';
import { start } from '../ui/router';
import { PartnerShell } from './shell';

void start({
  session: new Session('partner'),
  basepath: '/portal',
  shell: PartnerShell,
  pages: {
    '/': () => import('./pages/home'),
    '/links': () => import('./pages/links'),
    '/earnings': () => import('./pages/earnings'),
    '/earnings/$commissionId': () => import('./pages/earning'),
    '/payouts': () => import('./pages/payouts'),
    '/programmes': () => import('./pages/programmes'),
    '/join/$programId': () => import('./pages/join'),
    '/settings': () => import('./pages/settings'),
  },
});
