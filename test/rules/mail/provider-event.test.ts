import { readProviderEvent } from '../../../entities/rules/mail/provider-event';

const bounced = (bounce?: unknown) => ({
  type: 'email.bounced',
  created_at: '2026-01-31T09:30:00.000Z',
  data: { email_id: 'm1', to: ['a@example.com'], ...(bounce === undefined ? {} : { bounce }) },
});

describe('events of the mail provider', () => {
  it.each([
    ['a permanent bounce suppresses', bounced({ type: 'Permanent' }), 'bounced'],
    ['a bounce without details is a hard one', bounced(), 'bounced'],
    ['a transient bounce does not', bounced({ type: 'Transient' }), undefined],
    [
      'a complaint suppresses',
      { type: 'email.complained', data: { to: ['a@example.com'] } },
      'complained',
    ],
    ['an unknown type concerns nobody', { type: 'email.opened' }, undefined],
  ])('refuse an address only for good: %s', (_name, body, reason) => {
    expect(readProviderEvent(body)).toEqual({
      type: body.type,
      suppress: reason && { addresses: ['a@example.com'], reason },
    });
  });

  it('reads an address without the name that stands before it', () => {
    const data = { to: ['Pat <pat@example.com>', '"A, <B>" <ab@example.com> ', ' c@example.com'] };
    expect(readProviderEvent({ type: 'email.complained', data })).toMatchObject({
      suppress: { addresses: ['pat@example.com', 'ab@example.com', 'c@example.com'] },
    });
  });

  it.each([
    ['no object', [], 'body'],
    ['no type', {}, 'type'],
    ['no data', { type: 'email.bounced' }, 'data'],
    ['no addresses', { type: 'email.bounced', data: { to: [] } }, 'data.to'],
    ['an address that is a number', { type: 'email.bounced', data: { to: [1] } }, 'data.to'],
    ['a bounce that is text', bounced('hard'), 'data.bounce'],
  ])('%s is malformed', (_name, body, field) => {
    expect(readProviderEvent(body)).toMatchObject({ field });
  });
});
