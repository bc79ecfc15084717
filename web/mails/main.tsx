import './../ui/styles.css';
import { Outlet } from '@tanstack/react-router';
import { Session } from '../session/session';
import { text } from '../text/en';
import { BrandMark } from '../ui/brand';
import { start } from '../ui/router';

/** Members are invited by one page alone; the others are for partners, or for both sides. */
const side = window.location.pathname === '/accept-invite' ? 'merchant' : 'partner';

function MailShell() {
  return (
    <main className="alone">
      <p className="alone-brand">
        <BrandMark /> {text.product}
      </p>
      <Outlet />
    </main>
  );
}

void start({
  session: new Session(side),
  basepath: '/',
  shell: MailShell,
  pages: {
    '/verify-email': () => import('./pages/verify-email'),
    '/refuse-email': () => import('./pages/refuse-email'),
    '/reset-password': () => import('./pages/reset-password'),
    '/accept-invite': () => import('./pages/accept-invite'),
    '/partner-invite': () => import('./pages/partner-invite'),
    '/claim': () => import('./pages/claim'),
  },
});
