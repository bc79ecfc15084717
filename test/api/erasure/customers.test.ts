import { newId } from '../../../entities/ids';
import { execute, query } from '../../../entities/database/sql';
import {
  eraseConversionAgain,
  eraseCustomerAgain,
} from '../../../activities/erasure/customers/customers';
import { useApp } from '../../support/app';
import { buildMember, signIn } from '../../support/build/accounts';
import { buildClick } from '../../support/build/clicks';
import { buildStripeEvents } from '../../support/build/stripe-events';
import { buildReportingMerchant } from '../../support/shops/reporting-merchant';
import { searchWords } from '../../../runtime/crypto/word-hashes';
import { findTraces, readTables } from '../../support/stored/traces';

const app = useApp();

const path = '/api/v1/gdpr/customer-erasure';

async function buildBuyer() {
  const shop = await buildReportingMerchant(app);
  const { workspaceId } = shop.participant;
  const admin = await buildMember(app.deps.db.manager, { workspaceId, role: 'admin' });
  // The address is the workspace's, whatever mode asks.
  const merchant = app.client.as((await signIn(app.deps, admin)).accessToken, 'live');
  const token = `zqbuyer${newId().slice(-8)}`;
  const fields = {
    customer_id: `cus_${token}`,
    prospect_email: `${token}@example.test`,
    metadata: { delivered_to: `${token} Street 1` },
  };
  return { shop, merchant, token, fields, workspaceId };
}

describe('the erasure of a buyer (erasure.md, Erasure of a buyer)', () => {
  it('takes all that conversions, events and stored answers tell, and leaves the amounts', async () => {
    const { shop, merchant, token, fields } = await buildBuyer();
    const headers = { 'Idempotency-Key': newId() };
    const body = { ...fields, external_transaction_id: `order_${newId()}` };
    const reported = await shop.report(body, headers);
    await shop.report({ ...fields, click_id: newId() });
    const stranger = await shop.report({ customer_id: 'cus_other', metadata: { a: 1 } });
    expect(findTraces(await readTables(app.deps), [token])).not.toEqual([]);

    const erased = await merchant.post(path, { customerId: fields.customer_id });
    expect([erased.status, erased.body['conversions']]).toEqual([200, 2]);
    expect(findTraces(await readTables(app.deps), [token])).toEqual([]);

    const stored = await shop.merchant.get(`/api/v1/conversions/${reported.body.id}`);
    expect(stored.body).toMatchObject({ amount_cents: 4_900, attributed: true, metadata: null });
    expect(stored.body['customer_id']).toMatch(/^erased:/);
    const replay = await shop.report(body, headers);
    expect(replay.headers.get('idempotent-replayed')).toBe('true');
    expect(replay.body).toMatchObject({ id: reported.body.id, metadata: null });
    const other = await shop.merchant.get(`/api/v1/conversions/${stranger.body.id}`);
    expect(other.body).toMatchObject({ customer_id: 'cus_other', metadata: { a: 1 } });

    const again = await merchant.post(path, { customerId: fields.customer_id });
    expect([again.status, again.body['conversions']]).toEqual([200, 0]);
    const receipts = await merchant.get('/api/v1/gdpr/receipts');
    expect(receipts.body).toMatchObject({ total: 0 });
    const testReceipts = await merchant.get('/api/v1/gdpr/receipts', {
      headers: { 'X-Mode': 'test' },
    });
    expect(testReceipts.body).toMatchObject({
      total: 1,
      data: [{ kind: 'customer', programId: null, changes: expect.any(Array) as unknown }],
    });
  });

  it('takes what stored answers to sign-ups tell, of a customer who bought nothing', async () => {
    const { shop, merchant, token } = await buildBuyer();
    const headers = { 'Idempotency-Key': newId() };
    const click = await buildClick(app.deps.db.manager, { participant: shop.participant });
    const body = { customer_id: `cus_${token}`, aliases: [`own ${token}`], click_id: click.id };
    const first = await shop.merchant.post('/api/v1/customers', body, { headers });
    expect(first.status).toBe(201);

    await merchant.post(path, { customerId: `own ${token}` });
    const again = await shop.merchant.post('/api/v1/customers', body, { headers });
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(JSON.stringify([again.body, again.headers.get('location')])).not.toContain(token);
    expect(again.body['customer_id']).toMatch(/^erased:/);
  });

  it('finds a buyer by the address alone, in any case, and only in the own workspace', async () => {
    const { shop, merchant, fields } = await buildBuyer();
    const { shop: foreign } = await buildBuyer();
    const email = fields.prospect_email;
    const own = await shop.report({ prospect_email: email, metadata: { a: 1 } });
    const theirs = await foreign.report({ prospect_email: email, metadata: { a: 1 } });

    const erased = await merchant.post(path, { email: email.toUpperCase() });
    expect(erased.body['conversions']).toBe(1);
    const cleaned = await shop.merchant.get(`/api/v1/conversions/${own.body.id}`);
    expect(cleaned.body['metadata']).toBeNull();
    const left = await foreign.merchant.get(`/api/v1/conversions/${theirs.body.id}`);
    expect(left.body['metadata']).toEqual({ a: 1 });
  });

  it('finds by the address a customer with all that is theirs', async () => {
    const { shop, merchant, token, fields } = await buildBuyer();
    const click = await buildClick(app.deps.db.manager, { participant: shop.participant });
    const body = { customer_id: fields.customer_id, aliases: [`own ${token}`], click_id: click.id };
    await shop.merchant.post('/api/v1/customers', body);
    await shop.report({ ...fields, external_transaction_id: `order_${newId()}` });
    const other = { customer_id: fields.customer_id, metadata: { n: `${token} again` } };
    await shop.report({ ...other, external_transaction_id: `order_${newId()}` });

    const erased = await merchant.post(path, { email: fields.prospect_email });
    expect(erased.body['conversions']).toBe(2);
    expect(findTraces(await readTables(app.deps), [token])).toEqual([]);
    const left = await shop.merchant.get(`/api/v1/customers/${fields.customer_id}`);
    expect(left.status).toBe(404);
    const again = await merchant.post(path, { email: fields.prospect_email });
    expect(again.body['conversions']).toBe(0);
  });

  it('finds by the address what the processor told of payments that no partner brought', async () => {
    const { merchant, token, fields, workspaceId } = await buildBuyer();
    const { db, vault } = app.deps;
    await buildStripeEvents(db.manager, { workspaceId, mode: 'live' }, []);
    const told = (email: string) => ({
      ...{ id: `evt_${newId()}`, object: 'event', type: 'checkout.session.completed' },
      data: {
        object: {
          id: 'cs_1',
          amount_total: 4_900,
          customer_details: { email, name: `Jane ${token}` },
        },
      },
    });
    const events = [told(fields.prospect_email), told(`other-${fields.prospect_email}`)];
    const ids = await Promise.all(
      events.map(async (event) => {
        const id = newId();
        const body = vault.encrypt(JSON.stringify(event), ['stripe_events.body', id]);
        await execute(
          db.manager,
          `INSERT INTO stripe_events (id, connection_id, workspace_id, mode, stripe_event_id, type, body,
             status, words, received_at, touched_at)
           SELECT $1, c.id, $2, 'live', $3, 'checkout.session.completed', $4, 'ignored', $5, now(), now()
             FROM stripe_connections AS c WHERE c.workspace_id = $2`,
          [id, workspaceId, event.id, body, searchWords(vault, workspaceId, event)],
        );
        return id;
      }),
    );
    const read = async (id: string | undefined): Promise<string> => {
      const sql = 'SELECT body FROM stripe_events WHERE id = $1';
      const [row] = await query<{ body: string }>(db.manager, sql, [id]);
      return vault.decrypt(row?.body ?? '', ['stripe_events.body', id ?? '']);
    };

    const erased = await merchant.post(path, { email: fields.prospect_email });
    expect([erased.status, erased.body['conversions']]).toEqual([200, 0]);
    expect(await read(ids[0])).not.toContain(token);
    expect(await read(ids[0])).toContain('4900');
    // Somebody else's.
    expect(await read(ids[1])).toContain(token);
    const receipts = await merchant.get('/api/v1/gdpr/receipts');
    expect(receipts.body).toMatchObject({ total: 1 });
  });

  it('stands in the ledger by ids, and is done again on a backup', async () => {
    const { shop, merchant, fields } = await buildBuyer();
    const { body } = await shop.report(fields);
    await merchant.post(path, { customerId: fields.customer_id });
    const noted = await query<{ kind: string }>(
      app.deps.db.manager,
      'SELECT kind FROM erased_records WHERE subject_id = $1',
      [body.id],
    );
    expect(noted).toEqual([{ kind: 'conversion' }]);
    const stores = { db: app.deps.db.manager, vault: app.deps.vault };
    expect(await eraseConversionAgain(stores, { now: new Date() }, body.id)).toBe(false);
    const back = await shop.report({ ...fields, external_transaction_id: `order_${newId()}` });
    expect(await eraseConversionAgain(stores, { now: new Date() }, back.body.id)).toBe(true);
    const cleaned = await shop.merchant.get(`/api/v1/conversions/${back.body.id}`);
    expect(cleaned.body).toMatchObject({ metadata: null, amount_cents: 4_900 });
  });

  it('stands in the ledger too for a customer who bought nothing', async () => {
    const { shop, merchant, token } = await buildBuyer();
    const db = app.deps.db.manager;
    const click = await buildClick(db, { participant: shop.participant });
    const body = { customer_id: `cus_${token}`, click_id: click.id };
    const { id } = (await shop.merchant.post('/api/v1/customers', body)).body as { id: string };
    const stores = { db, vault: app.deps.vault };
    const again = () => eraseCustomerAgain(stores, { now: new Date() }, id);

    await merchant.post(path, { customerId: body.customer_id });
    const noted = 'SELECT kind FROM erased_records WHERE subject_id = $1';
    expect(await query(db, noted, [id])).toEqual([{ kind: 'customer' }]);
    expect(await again()).toBe(false);
    // The ids come back, as a backup has them.
    const rows = 'UPDATE customers SET customer_id = $2 WHERE id = $1';
    await execute(db, rows, [id, body.customer_id]);
    await execute(db, 'UPDATE customer_aliases SET alias = $2 WHERE customer = $1', [
      id,
      body.customer_id,
    ]);
    expect(await again()).toBe(true);
    expect(findTraces(await readTables(app.deps), [token])).toEqual([]);
  });

  it('needs one of the two, and an admin', async () => {
    const { merchant, workspaceId } = await buildBuyer();
    const nothing = await merchant.post(path, {});
    expect([nothing.status, nothing.body['code']]).toEqual([400, 'VALIDATION_ERROR']);
    const unknown = await merchant.post(path, { customerId: 'nobody' });
    expect([unknown.status, unknown.body['conversions']]).toEqual([200, 0]);
    const member = await buildMember(app.deps.db.manager, { workspaceId, role: 'member' });
    const short = app.client.as((await signIn(app.deps, member)).accessToken, 'live');
    expect((await short.post(path, { customerId: 'x' })).status).toBe(403);
  });
});
