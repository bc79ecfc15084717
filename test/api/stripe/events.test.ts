import { createHmac } from 'node:crypto';
import { newId } from '../../../entities/ids';
import { execute, query, queryOne } from '../../../entities/database/sql';
import { useApp } from '../../support/app';
import type { Caller } from '../../support/api-client';
import { buildMember, signIn } from '../../support/build/accounts';
import { checkoutCompleted, chargeRefunded, stripeId } from '../../support/stripe/events';
import type { StripeTestEvent } from '../../support/stripe/fixtures';
import {
  buildStripeShop,
  signatureOf,
  webhookSecret,
  type StripeShop,
} from '../../support/stripe/shop';

const app = useApp();
let shop: StripeShop;
let api: Caller;
const path = '/api/v1/workspace/stripe/events';

beforeEach(async () => {
  shop = await buildStripeShop(app.deps);
  const member = await buildMember(app.deps.db.manager, { workspaceId: shop.scope.workspaceId });
  api = app.client.as((await signIn(app.deps, member)).accessToken, 'test');
});

interface Delivery {
  connectionId?: string;
  signature?: string | null;
  secret?: string;
  signedSecondsAgo?: number;
  contentType?: string;
}

async function deliver(body: string | Buffer, delivery: Delivery = {}): Promise<Response> {
  const {
    secret,
    signedSecondsAgo = 0,
    contentType = 'application/json; charset=utf-8',
  } = delivery;
  const signature =
    delivery.signature === undefined
      ? signatureOf(String(body), {
          ...(secret ? { secret } : {}),
          at: secondsAgo(signedSecondsAgo),
        })
      : delivery.signature;
  return fetch(`${app.url}/webhooks/stripe/${delivery.connectionId ?? shop.connectionId}`, {
    method: 'POST',
    headers: {
      'Content-Type': contentType,
      ...(signature === null ? {} : { 'Stripe-Signature': signature }),
    },
    body,
  });
}

const codeOf = async (response: Response): Promise<unknown> =>
  ((await response.json()) as { code?: string }).code;

interface EventRecord {
  id: string;
  stripeEventId: string;
  status: string;
  error: string | null;
}

async function list(search = ''): Promise<EventRecord[]> {
  return (await api.get<{ data: EventRecord[] }>(path + search)).body.data;
}

const secondsAgo = (seconds: number): Date => new Date(Date.now() - seconds * 1_000);

describe('an event from Stripe (payments.md, Intake)', () => {
  it('is stored, with work for the relay, before it is acknowledged', async () => {
    const event = checkoutCompleted();

    const response = await deliver(JSON.stringify(event));

    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({});
    const [stored] = await list();
    expect(stored).toMatchObject({
      stripeEventId: event.id,
      type: 'checkout.session.completed',
      apiVersion: '2025-08-27.basil',
      objectId: event.data.object['id'],
      status: 'received',
      attempts: 0,
      processedAt: null,
    });
    expect(await outboxOf(stored?.id)).toBe(1);
    const connection = await api.get('/api/v1/workspace/stripe');
    expect(connection.body).toMatchObject({ lastEventType: 'checkout.session.completed' });
  });

  it('is verified over its bytes, whatever their form and content type', async () => {
    const body = `${JSON.stringify(checkoutCompleted(), null, 3)}\n  `;

    expect((await deliver(body, { contentType: 'text/plain' })).status).toBe(200);
    const changed = body.replace('"usd"', '"USD"');
    expect((await deliver(changed, { signature: signatureOf(body) })).status).toBe(401);
  });

  it.each<[string, Delivery]>([
    ['no signature', { signature: null }],
    ['an empty one', { signature: '' }],
    ['nonsense', { signature: 't=,v1=' }],
    ['a time without a number', { signature: 't=soon,v1=abc' }],
    ['another secret', { secret: 'whsec_other' }],
    ['one of 301 seconds ago', { signedSecondsAgo: 302 }],
    ['one of 301 seconds ahead', { signedSecondsAgo: -303 }],
  ])('is refused with %s', async (_name, delivery) => {
    const response = await deliver(JSON.stringify(checkoutCompleted()), delivery);

    expect(response.status).toBe(401);
    expect(await codeOf(response)).toBe('INVALID_SIGNATURE');
    expect(await list()).toEqual([]);
  });

  it.each([295, -295])('may be signed %s seconds ago', async (seconds) => {
    const delivery = { signedSecondsAgo: seconds };

    expect((await deliver(JSON.stringify(checkoutCompleted()), delivery)).status).toBe(200);
  });

  it('may carry several signatures, one of which is right', async () => {
    const body = JSON.stringify(checkoutCompleted());
    const good = signatureOf(body);
    const signature = good.replace(',v1=', `,v1=${'0'.repeat(64)},v0=x,v1=`);

    expect((await deliver(body, { signature })).status).toBe(200);
  });

  it.each([
    ['no JSON', 'not json'],
    ['a list', '[]'],
    ['a text', '"evt_1"'],
    ['no id', '{"type":"invoice.paid"}'],
    ['a numeric id', '{"id":1,"type":"invoice.paid"}'],
    ['no type', '{"id":"evt_1"}'],
  ])('that is signed and %s is 400 and not stored', async (_name, body) => {
    const response = await deliver(body);

    expect(response.status).toBe(400);
    expect(await codeOf(response)).toBe('VALIDATION_ERROR');
    expect(await list()).toEqual([]);
  });

  it('that is no UTF-8 is refused, once its signature over the bytes is right', async () => {
    const body = Buffer.from(JSON.stringify({ ...checkoutCompleted(), note: 'caf\xe9' }), 'latin1');
    const signed = (bytes: Buffer): string => {
      const time = Math.floor(Date.now() / 1_000);
      const hmac = createHmac('sha256', webhookSecret).update(`${time}.`).update(bytes);
      return `t=${time},v1=${hmac.digest('hex')}`;
    };
    const answer = await deliver(body, { signature: signed(body) });
    expect([answer.status, await answer.json()]).toMatchObject([
      400,
      { code: 'VALIDATION_ERROR', details: [{ field: 'body' }] },
    ]);
    // The signature of the text that it would be mended to.
    const mended = await deliver(body, { signature: signed(Buffer.from(body.toString('utf8'))) });
    expect([mended.status, await codeOf(mended)]).toEqual([401, 'INVALID_SIGNATURE']);
    expect(await list()).toEqual([]);
  });

  const oddFields = { data: 'none', created: 'now', api_version: 5, livemode: false };
  it.each([
    ['of an unknown type', { type: 'galaxy.created' }, /of this type/],
    ['with odd fields', oddFields, /no object with an id/],
    ['with text that Postgres cannot keep', { data: { object: { id: 'in_\u0000\ud800' } } }, /./],
  ])('%s is 200, and tells why it is ignored', async (_name, fields, error) => {
    const event = { ...checkoutCompleted(), ...fields };

    expect((await deliver(JSON.stringify(event))).status).toBe(200);
    const [stored] = await list();
    await shop.process(stored?.id ?? '');
    expect(await list()).toMatchObject([
      { status: 'ignored', error: expect.stringMatching(error) },
    ]);
  });

  it('of the other livemode is stored as ignored, with the reason', async () => {
    const event = { ...checkoutCompleted({ click: await shop.click() }), livemode: true };

    expect((await deliver(JSON.stringify(event))).status).toBe(200);

    const [stored] = await list();
    expect(stored).toMatchObject({ status: 'ignored', error: expect.stringContaining('livemode') });
    expect(await outboxOf(stored?.id)).toBe(0);
  });

  it('of a connected account is stored as ignored, and is no sale of the platform', async () => {
    const event = { ...checkoutCompleted({ click: await shop.click() }), account: 'acct_1Other' };

    expect((await deliver(JSON.stringify(event))).status).toBe(200);

    const [stored] = await list();
    expect(stored).toMatchObject({ status: 'ignored', error: expect.stringContaining('account') });
    expect(await outboxOf(stored?.id)).toBe(0);
  });

  it('up to 1 MiB is taken, more is 413', async () => {
    const filled = (bytes: number): string => {
      const event = { ...checkoutCompleted(), padding: '' };
      const padding = 'x'.repeat(bytes - JSON.stringify(event).length);
      return JSON.stringify({ ...event, padding });
    };

    expect((await deliver(filled(1_048_576))).status).toBe(200);
    const response = await deliver(filled(1_048_577));
    expect(response.status).toBe(413);
    expect(await codeOf(response)).toBe('PAYLOAD_TOO_LARGE');
  });

  it.each([
    ['unknown', newId()],
    ['malformed', 'not-a-uuid'],
  ])('for an %s connection is 404', async (_name, connectionId) => {
    const response = await deliver(JSON.stringify(checkoutCompleted()), { connectionId });

    expect(response.status).toBe(404);
    expect(await codeOf(response)).toBe('NOT_FOUND');
  });

  it('is stored once however often it comes, and for each workspace that connects the account', async () => {
    const other = await buildStripeShop(app.deps);
    const body = JSON.stringify(checkoutCompleted());

    const answers = await Promise.all([
      deliver(body),
      deliver(body),
      deliver(body),
      deliver(body, { connectionId: other.connectionId }),
    ]);

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(await list()).toHaveLength(1);
    expect(await other.statuses()).toEqual(['received']);
  });

  it('that had failed is tried again when Stripe sends it again', async () => {
    const body = JSON.stringify(checkoutCompleted());
    await deliver(body);
    const [stored] = await list();
    await execute(app.deps.db.manager, `UPDATE stripe_events SET status = 'failed' WHERE id = $1`, [
      stored?.id,
    ]);

    await deliver(body);

    expect(await list()).toMatchObject([{ status: 'received' }]);
    expect(await outboxOf(stored?.id)).toBe(2);
  });

  it('keeps the address of the buyer out of plain text', async () => {
    await deliver(JSON.stringify(checkoutCompleted()));

    const rows = await query(
      app.deps.db.manager,
      'SELECT * FROM stripe_events WHERE connection_id = $1',
      [shop.connectionId],
    );
    expect(JSON.stringify(rows)).not.toContain('buyer@example.com');
  });
});

describe('the list of events', () => {
  it('is newest first and filtered by status, type, object and day', async () => {
    const refund = chargeRefunded({
      charge: stripeId('ch'),
      paymentIntent: stripeId('pi'),
      refunded: 100,
    });
    const checkout = checkoutCompleted();
    await send(refund, checkout);

    const ids = async (search: string): Promise<string[]> =>
      (await list(search)).map(({ stripeEventId }) => stripeEventId);
    expect(await ids('')).toEqual([checkout.id, refund.id]);
    expect(await ids('?status=ignored')).toEqual([checkout.id]);
    expect(await ids('?status=waiting')).toEqual([refund.id]);
    expect(await ids('?type=charge.refunded')).toEqual([refund.id]);
    expect(await ids(`?objectId=${String(checkout.data.object['id'])}`)).toEqual([checkout.id]);
    expect(await ids('?dateTo=2020-01-01')).toEqual([]);
    expect(await ids('?dateFrom=2020-01-01')).toHaveLength(2);
    expect((await api.get(`${path}?limit=1&page=2`)).body).toMatchObject({
      total: 2,
      page: 2,
      limit: 1,
    });
    expect((await api.get(`${path}?status=done`)).status).toBe(400);
    expect((await api.get(`${path}?dateFrom=soon`)).status).toBe(400);
  });

  it('holds nothing of another workspace or mode', async () => {
    await send(checkoutCompleted());

    expect((await api.get<{ total: number }>(path, { mode: 'live' })).body.total).toBe(0);
    const stranger = await buildMember(app.deps.db.manager);
    const theirs = app.client.as((await signIn(app.deps, stranger)).accessToken, 'test');
    expect((await theirs.get<{ total: number }>(path)).body.total).toBe(0);
  });
});

describe('a replay', () => {
  it('processes the event again and changes nothing twice', async () => {
    await send(checkoutCompleted({ click: await shop.click() }));
    const [event] = await list();

    const answer = await api.post(`${path}/${event?.id}/replay`);
    expect(answer.status).toBe(202);
    expect(answer.body).toEqual({});
    expect(await list()).toMatchObject([{ status: 'received', attempts: 1 }]);
    await shop.process(event?.id ?? '');

    expect(await list()).toMatchObject([{ status: 'processed', attempts: 2, error: null }]);
    const conversions = await queryOne<{ total: number }>(
      app.deps.db.manager,
      'SELECT count(*)::int AS total FROM conversions WHERE workspace_id = $1',
      [shop.scope.workspaceId],
    );
    expect(conversions?.total).toBe(1);
  });

  it.each(['received', 'retrying'])('is 409 while the event is %s', async (status) => {
    await send(checkoutCompleted());
    const [event] = await list();
    await execute(app.deps.db.manager, 'UPDATE stripe_events SET status = $2 WHERE id = $1', [
      event?.id,
      status,
    ]);

    const answer = await api.post(`${path}/${event?.id}/replay`);

    expect(answer.status).toBe(409);
    expect(answer.body).toMatchObject({ code: 'STRIPE_EVENT_RUNNING' });
  });

  it('of an unknown, malformed or foreign id is 404', async () => {
    await send(checkoutCompleted());
    const [event] = await list();
    const stranger = await buildMember(app.deps.db.manager);
    const theirs = app.client.as((await signIn(app.deps, stranger)).accessToken, 'test');

    expect((await api.post(`${path}/${newId()}/replay`)).status).toBe(404);
    expect((await api.post(`${path}/nothing/replay`)).status).toBe(404);
    expect(
      (await api.post(`${path}/${event?.id}/replay`, undefined, { mode: 'live' })).status,
    ).toBe(404);
    expect((await theirs.post(`${path}/${event?.id}/replay`)).status).toBe(404);
  });
});

async function send(...events: StripeTestEvent[]): Promise<void> {
  await shop.send(...events);
}

async function outboxOf(eventId: string | undefined): Promise<number> {
  const rows = await query(
    app.deps.db.manager,
    `SELECT 1 FROM outbox WHERE topic = 'stripe_event' AND ref::text = $1`,
    [eventId],
  );
  return rows.length;
}
