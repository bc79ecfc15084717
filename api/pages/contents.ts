import type { Page } from './page';

const newPassword = {
  name: 'password',
  label: 'New password (at least 10 characters)',
  type: 'password',
  autocomplete: 'new-password',
} as const;

export const verifyPage: Page = {
  title: 'Confirm your e-mail address',
  intro: 'Press the button to confirm that this address is yours.',
  step: 'verify',
  fields: [],
  button: 'Confirm',
  done: 'Your address is confirmed.',
};

export const resetPage: Page = {
  title: 'Set a new password',
  intro: 'Choose the new password of your account. You will be signed out everywhere.',
  step: 'reset',
  fields: [newPassword],
  button: 'Set password',
  done: 'Your password is set. You can sign in with it now.',
};

export const invitePage: Page = {
  title: 'Join the workspace',
  intro: 'Choose your name and a password to accept the invite.',
  step: 'invite',
  fields: [{ name: 'name', label: 'Your name', type: 'text', autocomplete: 'name' }, newPassword],
  button: 'Join',
  done: 'Welcome. Your account is ready.',
};

export const claimPage: Page = {
  title: 'Open your account',
  intro: 'Choose a password. If you have an account with this address, just sign in to it.',
  step: 'claim',
  fields: [newPassword],
  button: 'Set password',
  done: 'Welcome. Your account is ready: sign in with your address and this password.',
};

export const partnerPage: Page = {
  title: 'Become a partner',
  intro: 'Sign in with your partner account, or give your name too to make a new one.',
  step: 'partnerInvite',
  fields: [
    { name: 'email', label: 'E-mail address', type: 'email', autocomplete: 'email' },
    { name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password' },
    {
      name: 'code',
      label: 'Code of your second factor (if your account has one)',
      type: 'text',
      autocomplete: 'one-time-code',
      optional: true,
    },
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

export const unsubscribePage: Page = {
  title: 'Stop these mails',
  intro:
    'Press the button to get no more mails about <b data-about>things of this kind</b>. They still stand in your feed, and mails of other kinds go on.',
  step: 'unsubscribe',
  fields: [],
  button: 'Stop',
  done: 'Done. You can have these mails again at any time: in your settings, under Notifications.',
};
