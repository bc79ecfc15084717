import type { ScanCursor, ScanPlace } from '../../../activities/erasure/scans/place';
import { scanWorkspace } from '../../../activities/erasure/scans/scans';
import { createStripeActivities } from '../../../activities/billing/activities';
import { replayEvent } from '../../../activities/billing/events/receive';
import { execute, query, queryOne } from '../../../entities/database/sql';
import { newId } from '../../../entities/ids';
import type { Scope } from '../../../entities/rules/values/mode';
import { useDeps } from '../../support/app';
import { buildEndpoint } from '../../support/build/webhooks';
import { chargeSucceeded, checkoutCompleted, stripeId } from '../../support/stripe/events';
import { buildStripeShop, conversionsOf, type StripeShop } from '../../support/stripe/shop';

const deps = useDeps();

const placeOf = ({ workspaceId, mode }: Scope, identifying: string[]): ScanPlace =>
  ({
    erasure: { id: newId() },
    participation: { id: newId(), workspaceId, mode },
    identifying,
    participantIds: [newId()],
    since: null,
  }) as unknown as ScanPlace;

/** All pages, each in a call of its own. */
async function pagesOf(place: ScanPlace, seen: (page: ScanCursor) => Promise<void>): Promise<void> {
  let from = await scanWorkspace(deps, place, { from: null, until: () => true });
  while (from) {
    await seen(from);
    from = await scanWorkspace(deps, place, { from, until: () => true });
  }
}

const noop = (): Promise<void> => Promise.resolve();

describe('raw events of Stripe', () => {
  const bodyOf = async (id: string): Promise<string> => {
    const row = await queryOne<{ body: string }>(
      deps.db.manager,
      'SELECT body FROM stripe_events WHERE id = $1',
      [id],
    );
    return deps.vault.decrypt(row?.body ?? '', ['stripe_events.body', id]);
  };
  const replay = async (shop: StripeShop, id: string): Promise<void> => {
    const context = { scope: shop.scope, actor: { type: 'system', id: null }, now: new Date() };
    await replayEvent(deps.db.manager, context as never, { id, biller: 'stripe' });
    await shop.process(id);
  };

  it('that failed are replayed as they were, whatever word an erased partner was called by', async () => {
    const shop = await buildStripeShop(deps);
    const click = await shop.click(new Date(Date.now() - 3_600_000));
    const sale = checkoutCompleted({ click, object: { payment_method_types: ['card', 'link'] } });
    const [id = ''] = await shop.receive(sale);
    await createStripeActivities(deps).giveUpStripeEvent({ eventId: id });

    const words = ['object', 'card', 'link', 'session', 'usd', 'paid', 'metadata', 'data'];
    await pagesOf(placeOf(shop.scope, words), noop);
    expect(JSON.parse(await bodyOf(id))).toEqual(JSON.parse(JSON.stringify(sale)));

    await replay(shop, id);
    expect(await shop.statuses()).toEqual(['processed']);
    expect(await conversionsOf(deps.db.manager, shop.scope)).toMatchObject([{ attributed: true }]);
  });

  it('are decrypted only where their words may be the person, spent or not', async () => {
    const shop = await buildStripeShop(deps);
    const buyer = (name: string) => ({ billing_details: { name, email: null } });
    const receive = async (object: ReturnType<typeof buyer>): Promise<string> => {
      const charge = chargeSucceeded({
        charge: stripeId('ch'),
        paymentIntent: stripeId('pi'),
        object,
      });
      const [id = ''] = await shop.receive(charge);
      return id;
    };
    for (let n = 0; n < 30; n += 1) await receive(buyer(`Buyer ${n}`));
    const theirs = await receive(buyer('Zoe Quinn'));
    const unknown = await receive(buyer('Max Other'));
    await execute(deps.db.manager, 'UPDATE stripe_events SET words = NULL WHERE id = $1', [
      unknown,
    ]);

    const decrypt = jest.spyOn(deps.vault, 'decrypt');
    await pagesOf(placeOf(shop.scope, ['zoe quinn']), noop);
    const opened = new Set(decrypt.mock.calls.map(([, place]) => place[1]));
    decrypt.mockRestore();
    expect([...opened].sort()).toEqual([theirs, unknown].sort());
    expect(await bodyOf(theirs)).not.toMatch(/zoe/i);
    expect(await bodyOf(unknown)).toContain('Max Other');
    // What was cleaned is not found again.
    const again = jest.spyOn(deps.vault, 'decrypt');
    await pagesOf(placeOf(shop.scope, ['zoe quinn']), noop);
    expect(again.mock.calls.map(([, place]) => place[1])).toEqual([unknown]);
    again.mockRestore();
  });

  it.each(['waiting', 'retrying', 'failed'])(
    'that are %s lose the person and keep the money',
    async (status) => {
      const shop = await buildStripeShop(deps);
      const [charge, paymentIntent] = [stripeId('ch'), stripeId('pi')];
      const person = { name: 'Zoe Quinn', email: 'zoe@buyer.example', phone: '+49 30 1' };
      const object = { billing_details: person, receipt_email: person.email };
      const [id = ''] = await shop.receive(chargeSucceeded({ charge, paymentIntent, object }));
      await execute(deps.db.manager, 'UPDATE stripe_events SET status = $2 WHERE id = $1', [
        id,
        status,
      ]);

      await pagesOf(placeOf(shop.scope, [person.email]), noop);
      const body = await bodyOf(id);
      expect(body).not.toMatch(/zoe|quinn|49 30/i);
      expect(JSON.parse(body)).toMatchObject({
        data: { object: { id: charge, payment_intent: paymentIntent, amount: 10_000 } },
      });
    },
  );
});

it("receivers' answers are read in pages of a bounded size, endpoint after endpoint", async () => {
  const shop = await buildStripeShop(deps);
  const endpoints = [await buildEndpoint(deps, shop.scope), await buildEndpoint(deps, shop.scope)];
  for (const { id } of endpoints) {
    await execute(
      deps.db.manager,
      `INSERT INTO webhook_deliveries (id, workspace_id, mode, endpoint_id, event_id, event_type,
              status, response_body, created_at)
       SELECT gen_random_uuid(), $1, $2, $3, gen_random_uuid(), 'commission.created', 'succeeded',
              CASE WHEN n % 2 = 0 THEN 'thanks, ZOE@buyer.example' ELSE 'thanks' END,
              now() - (n / 100) * interval '1 second'
         FROM generate_series(1, 1100) AS n`,
      [shop.scope.workspaceId, shop.scope.mode, id],
    );
  }
  const counts = async () => {
    const [row] = await query<{ left: number; kept: number }>(
      deps.db.manager,
      `SELECT count(*) FILTER (WHERE response_body LIKE '%ZOE%') AS left,
              count(*) FILTER (WHERE response_body = 'thanks') AS kept
         FROM webhook_deliveries WHERE endpoint_id = ANY ($1)`,
      [endpoints.map(({ id }) => id)],
    );
    return row ?? { left: 0, kept: 0 };
  };
  const sizes: number[] = [];
  let { left } = await counts();
  await pagesOf(placeOf(shop.scope, ['zoe@buyer.example']), async ({ table }) => {
    const now = (await counts()).left;
    if (table === 'webhook_deliveries') sizes.push(left - now);
    left = now;
  });
  expect(await counts()).toEqual({ left: 0, kept: 1_100 });
  expect(sizes).toHaveLength(6);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(500);
});

it('stored answers are read in pages that end with all rows of a moment', async () => {
  const shop = await buildStripeShop(deps);
  const { workspaceId, mode } = shop.scope;
  const path = '/api/v1/programs';
  const principalId = newId();
  const rows = Array.from({ length: 1_150 }, (_, index) => {
    const key = `k${index}`;
    const place = ['idempotency_keys.answer', principalId, mode, path, key] as const;
    return {
      key,
      answer: deps.vault.encrypt(JSON.stringify({ note: 'for zoe@buyer.example' }), place),
    };
  });
  await execute(
    deps.db.manager,
    `INSERT INTO idempotency_keys (principal_id, mode, path, key, workspace_id, body_hash,
            claim_token, claimed_at, answer, created_at)
     SELECT $1, $2, $3, r.key, $4, '', $1, now(), r.answer,
            now() - (substr(r.key, 2)::int / 230) * interval '3 microseconds'
       FROM json_to_recordset($5) AS r(key text, answer text)`,
    [principalId, mode, path, workspaceId, JSON.stringify(rows)],
  );
  let pages = 0;
  await pagesOf(placeOf(shop.scope, ['zoe@buyer.example']), async ({ table }) => {
    if (table === 'idempotency_keys') pages += 1;
    await Promise.resolve();
  });
  const stored = await query<{ key: string; answer: string }>(
    deps.db.manager,
    'SELECT key, answer FROM idempotency_keys WHERE principal_id = $1',
    [principalId],
  );
  const texts = stored.map(({ key, answer }) =>
    deps.vault.decrypt(answer, ['idempotency_keys.answer', principalId, mode, path, key]),
  );
  expect(texts).toHaveLength(1_150);
  expect(new Set(texts)).toEqual(new Set([JSON.stringify({ note: 'erased@erased.invalid' })]));
  expect(pages).toBeGreaterThanOrEqual(2);
});
