import Router from '@koa/router';
import type { Deps } from '../../activities/runtime/process/deps';
import { causeOf } from '../../activities/journal/cause';
import { unsubscribe } from '../../activities/mail/unsubscribe';
import { EmptyDto } from '../auth/auth.dto';
import { open } from '../http/credential';
import { maxBytes } from '../http/body';
import { contract } from '../http/contract';
import { Text } from '../http/validators';
import { pagePolicy, renderPage, type Page } from './page';

const tag = 'Pages';

export class UnsubscribeQuery {
  @Text({ max: 512, description: 'The token of the link in the mail.' })
  token!: string;
}

/** What links in mails open when there is no dashboard, and the unsubscribe link. */
export function pageRoutes({ vault }: Deps): Router {
  const router = new Router();
  addPage(router, { name: 'showVerifyEmailPage', path: '/verify-email', page: verifyPage });
  addPage(router, { name: 'showResetPasswordPage', path: '/reset-password', page: resetPage });
  addPage(router, { name: 'showAcceptInvitePage', path: '/accept-invite', page: invitePage });
  addPage(router, { name: 'showPartnerInvitePage', path: '/partner-invite', page: partnerPage });
  addPage(router, { name: 'showUnsubscribePage', path: '/unsubscribe', page: unsubscribePage });

  router.post(
    'unsubscribe',
    '/unsubscribe',
    contract(
      {
        summary: 'Stop mails of one category',
        description:
          'One click (RFC 8058): the token of the List-Unsubscribe header is all it takes, the body does not matter.',
        tag,
        auth: open(),
        query: UnsubscribeQuery,
        raw: maxBytes,
        responses: { 200: { type: EmptyDto, example: {} } },
        errors: ['EMAIL_TOKEN_INVALID'],
      },
      async (ctx) => {
        await unsubscribe({ db: ctx.db, vault }, causeOf(ctx), ctx.input.query);
        ctx.body = {};
      },
    ),
  );
  return router;
}

/** A page answers the same whatever its token is, and changes nothing. */
function addPage(router: Router, { name, path, page }: { name: string; path: string; page: Page }) {
  const html = renderPage(page);
  router.get(
    name,
    path,
    contract(
      {
        summary: `Page: ${page.title}`,
        description: 'Its button posts the token of the link; opening it changes nothing.',
        tag,
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
    ),
  );
}

const newPassword = {
  name: 'password',
  label: 'New password (at least 10 characters)',
  type: 'password',
  autocomplete: 'new-password',
} as const;

const verifyPage: Page = {
  title: 'Confirm your e-mail address',
  intro: 'Press the button to confirm that this address is yours.',
  step: 'verify',
  fields: [],
  button: 'Confirm',
  done: 'Your address is confirmed.',
};

const resetPage: Page = {
  title: 'Set a new password',
  intro: 'Choose the new password of your account. You will be signed out everywhere.',
  step: 'reset',
  fields: [newPassword],
  button: 'Set password',
  done: 'Your password is set. You can sign in with it now.',
};

const invitePage: Page = {
  title: 'Join the workspace',
  intro: 'Choose your name and a password to accept the invite.',
  step: 'invite',
  fields: [{ name: 'name', label: 'Your name', type: 'text', autocomplete: 'name' }, newPassword],
  button: 'Join',
  done: 'Welcome. Your account is ready.',
};

const partnerPage: Page = {
  title: 'Become a partner',
  intro: 'Sign in with your partner account, or give your name too to make a new one.',
  step: 'partnerInvite',
  fields: [
    { name: 'email', label: 'E-mail address', type: 'email', autocomplete: 'email' },
    { name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password' },
    {
      name: 'name',
      label: 'Your name (only for a new account)',
      type: 'text',
      autocomplete: 'name',
      optional: true,
    },
  ],
  button: 'Accept the invite',
  done: 'Welcome. You are a partner now.',
};

const unsubscribePage: Page = {
  title: 'Stop these mails',
  intro: 'Press the button to get no more mails of this kind.',
  step: 'unsubscribe',
  fields: [],
  button: 'Stop',
  done: 'Done. You will get no more mails of this kind.',
};
