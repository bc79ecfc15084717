/**
 * The script of the small pages that links in mails open. A page posts its token only when its
 * button is pressed: mail scanners follow links, and a GET must change nothing.
 */
export const pageScript = `
(() => {
  const form = document.querySelector('form');
  const note = document.querySelector('[role=status]');
  const token = new URLSearchParams(location.search).get('token') || '';
  const about = document.querySelector('[data-about]');
  // The third part of an unsubscribe link's token names the category.
  const [, , category = ''] = token.split('.');
  if (about && /^[a-z]{1,20}$/.test(category)) about.textContent = category;
  const field = (name) => form.elements[name] ? form.elements[name].value : '';

  async function post(path, body, headers) {
    const answer = await fetch(path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    const json = await answer.json().catch(() => ({}));
    return { ok: answer.ok, status: answer.status, json };
  }

  const steps = {
    verify: () => post('/api/v1/auth/email/verify', { token }),
    unsubscribe: () => post('/unsubscribe?token=' + encodeURIComponent(token), {}),
    async reset() {
      const body = { token, password: field('password') };
      const merchant = await post('/api/v1/auth/merchant/reset-password', body);
      if (merchant.json.code !== 'RESET_TOKEN_INVALID') return merchant;
      return post('/api/v1/auth/partner/reset-password', body);
    },
    invite: () => post('/api/v1/auth/merchant/accept-invite', {
      token, name: field('name'), password: field('password'),
    }),
    claim: () => post('/api/v1/auth/partner/claim', { token, password: field('password') }),
    async partnerInvite() {
      const who = { email: field('email'), password: field('password') };
      const name = field('name').trim();
      const code = field('code').trim();
      const signedIn = name
        ? await post('/api/v1/auth/partner/register', { ...who, name })
        : await post('/api/v1/auth/partner/login', code ? { ...who, code } : who);
      if (!signedIn.ok) return signedIn;
      const bearer = { Authorization: 'Bearer ' + signedIn.json.accessToken };
      const accept = (mode) =>
        post('/api/v1/partner/invites/accept', { token }, { ...bearer, 'X-Mode': mode });
      const live = await accept('live');
      return live.status === 410 ? accept('test') : live;
    },
  };

  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    note.textContent = 'One moment...';
    try {
      const result = await steps[form.dataset.step]();
      const details = (result.json.details || []).map((d) => d.field + ' ' + d.message).join('; ');
      note.textContent = result.ok ? form.dataset.done : details || result.json.message;
      if (result.ok) form.hidden = true;
    } catch {
      note.textContent = 'The service cannot be reached. Please try again.';
    }
  });
})();
`;
