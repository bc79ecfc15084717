import { causeOf } from '../../activities/journal/cause';
import { unsubscribe } from '../../activities/mail/unsubscribe';
import { EmptyDto } from '../auth/auth.dto';
import { open } from '../http/contract/credential';
import { maxBytes } from '../http/contract/body/body';
import { routesOf, type Route } from '../http/contract/route';
import { Text } from '../http/contract/validators';
import {
  claimPage,
  invitePage,
  partnerPage,
  resetPage,
  unsubscribePage,
  verifyPage,
} from './contents';
import { pagePolicy, renderPage, type Page } from './page';

const route = routesOf('Pages');

class UnsubscribeQuery {
  @Text({ max: 512, description: 'The token of the link in the mail.' })
  token!: string;
}

/**
 * What links in mails open with DASHBOARD=off, else `api/web` answers there; and the unsubscribe
 * link, which needs no account.
 */
export const pageRoutes: Route[] = [
  pageRoute({ name: 'showVerifyEmailPage', path: '/verify-email', page: verifyPage }),
  pageRoute({ name: 'showResetPasswordPage', path: '/reset-password', page: resetPage }),
  pageRoute({ name: 'showAcceptInvitePage', path: '/accept-invite', page: invitePage }),
  pageRoute({ name: 'showPartnerInvitePage', path: '/partner-invite', page: partnerPage }),
  pageRoute({ name: 'showClaimPage', path: '/claim', page: claimPage }),
  pageRoute({ name: 'showUnsubscribePage', path: '/unsubscribe', page: unsubscribePage }),
  route.post(
    '/unsubscribe',
    {
      name: 'unsubscribe',
      summary: 'Stop mails of one category',
      description:
        'One click (RFC 8058): the token of the List-Unsubscribe header is all it takes, the body does not matter.',
      auth: open(),
      query: UnsubscribeQuery,
      raw: maxBytes,
      responses: { 200: { type: EmptyDto } },
      errors: ['EMAIL_TOKEN_INVALID'],
    },
    async (ctx) => {
      await unsubscribe({ db: ctx.db, vault: ctx.deps.vault }, causeOf(ctx), ctx.input.query);
      ctx.body = {};
    },
  ),
];

/** A page answers the same whatever its token is, and changes nothing. */
function pageRoute({ name, path, page }: { name: string; path: string; page: Page }): Route {
  const html = renderPage(page);
  return route.get(
    path,
    {
      name,
      summary: `Page: ${page.title}`,
      description: 'Its button posts the token of the link; opening it changes nothing.',
      auth: open(),
      responses: { 200: { contentType: 'text/html', example: '<!doctype html>...' } },
      noStore: true,
    },
    (ctx) => {
      ctx.set('Content-Security-Policy', pagePolicy);
      ctx.set('Referrer-Policy', 'no-referrer');
      ctx.set('X-Frame-Options', 'DENY');
      ctx.type = 'text/html; charset=utf-8';
      ctx.body = html;
    },
  );
}
