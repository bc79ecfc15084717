import type { ImportDto } from '../../../api/imports/imports.dto';
import { lockCustomers } from '../../../activities/customers/write';
import { execute, query, transaction } from '../../../entities/database/sql';
import { codeOf } from '../../support/api-client';
import { eventually } from '../../support/eventually';
import { waitsForLock } from '../../support/faults/waits-for-lock';
import { files, useImportShop } from '../../support/import-shop';
import { workOn, type ImportApi } from '../../support/imports';

const own = useImportShop();

interface Payout {
  id: string;
  items: { amountCents: number }[];
}

const stateOf = async (): Promise<object> => {
  const [row] = await query<object>(
    own.db,
    `SELECT (SELECT count(*) FROM participants WHERE program_id = $1) AS participants,
            (SELECT count(*) FROM referral_tokens WHERE program_id = $1) AS tokens,
            (SELECT count(*) FROM promo_codes WHERE program_id = $1) AS codes,
            (SELECT count(*) FROM customers WHERE program_id = $1) AS customers,
            (SELECT count(*) FROM commissions WHERE program_id = $1) AS commissions,
            (SELECT count(*) FROM conversions WHERE program_id = $1) AS conversions,
            (SELECT count(*) FROM imported_records WHERE program_id = $1) AS records,
            (SELECT count(*) FROM import_rows WHERE workspace_id = $2)
              + (SELECT count(*) FROM import_sales WHERE workspace_id = $2)
              + (SELECT count(*) FROM import_files WHERE workspace_id = $2) AS read,
            (SELECT coalesce(sum(amount_cents), 0) FROM ledger_entries WHERE program_id = $1) AS ledger`,
    [own.program.id, own.owner.workspaceId],
  );
  return row ?? {};
};

it('takes back what was booked, and books it again (imports.md, Taking it back)', async () => {
  const empty = await stateOf();
  const one = await own.bring();
  const full = await stateOf();
  const asked = await own.api.post(`${one.path}/undo`);
  expect(asked.body['status']).toBe('undoing');
  await workOn(own.app.deps, one.path.split('/').at(-1) ?? '');
  expect((await one.read()).status).toBe('undone');
  expect(await stateOf()).toEqual(empty);
  await own.bring();
  const { ledger, ...rest } = full as { ledger: number };
  expect(await stateOf()).toEqual({ ...rest, ledger });
});

it('leaves months that are closed as they were, each sum with its entries', async () => {
  own.app.deps.clock.set(new Date('2026-10-05T00:00:00Z'));
  const one = await own.bring();
  const october = async () => {
    const asked = `programId=${own.program.id}`;
    const read = async (path: string) =>
      (await own.api.get<{ data: object[]; total: number }>(path)).body;
    const statement = await read(`/api/v1/payouts/statement?year=2026&month=10&${asked}`);
    const ledger = await read(`/api/v1/ledger?to=2026-10-31&${asked}`);
    return {
      totals: (statement as unknown as { totals: object[] }).totals,
      rows: statement.data.map((row) => ({ ...row, partnerName: '', partnerEmail: '' })),
      total: statement.total,
      entries: ledger.data.map((row) => ({ ...row, partnerName: '', reason: '' })),
    };
  };
  const before = await october();
  expect(before.rows.length).toBeGreaterThan(0);
  own.app.deps.clock.set(new Date('2026-11-02T00:00:00Z'));
  await own.api.post(`${one.path}/undo`);
  await workOn(own.app.deps, one.path.split('/').at(-1) ?? '');
  expect((await one.read()).status).toBe('undone');
  expect(await october()).toEqual(before);
});

it('takes nothing back once something of it is in use', async () => {
  const one = await own.bring();
  await own.click('b');
  const refused = await own.api.post(`${one.path}/undo`);
  expect(codeOf(refused)).toEqual([409, 'IMPORT_IN_USE']);
  expect(refused.body['message']).toMatch(/ taken back: 1 clicked\.$/);
  expect(refused.body['counts']).toEqual({
    clicked: 1,
    earned: 0,
    refunded: 0,
    decided: 0,
    claimed: 0,
    paid: 0,
  });
  expect((await one.read()).status).toBe('applied');
});

describe('what a later import hung on the partners of one', () => {
  const undo = async (one: ImportApi): Promise<void> => {
    expect((await own.api.post(`${one.path}/undo`)).status).toBe(202);
    await workOn(own.app.deps, one.path.split('/').at(-1) ?? '');
    expect((await one.read()).status).toBe('undone');
  };

  it('keeps them: its customers have nobody else', async () => {
    const empty = await stateOf();
    const first = await own.bring({ partners: files.partners });
    const second = await own.bring({ customers: files.customers });
    const refused = await own.api.post(`${first.path}/undo`);
    expect(codeOf(refused)).toEqual([409, 'IMPORT_IN_USE']);
    expect(refused.body['counts']).toMatchObject({ earned: 2 });
    await undo(second);
    await undo(first);
    expect(await stateOf()).toEqual(empty);
  });

  it('goes with them, and is brought anew: their tokens, and who they are over there', async () => {
    const elsewhere = { name: 'other' };
    const first = await own.bring({ partners: files.partners });
    const second = await own.begin({ partners: files.partners, links: files.links }, elsewhere);
    await second.check();
    await second.apply();
    await undo(first);
    const third = await own.begin(files, elsewhere);
    const { report } = await third.check();
    expect(report?.problems.count).toBe(0);
    await third.apply();
    expect(await own.partnersHere()).toHaveLength(2);
    expect((await own.click('ann.smith')).status).toBeLessThan(300);
  });
});

describe('what came into use between the asking and the undoing', () => {
  const undo = async (one: ImportApi): Promise<ImportDto> => {
    await workOn(own.app.deps, one.path.split('/').at(-1) ?? '');
    return one.read();
  };
  const meanwhile = {
    code: 'IMPORT_IN_USE',
    message: expect.stringMatching(/ stays\.$/) as string,
  };

  it('stays: a payout pays what the books still owe', async () => {
    const one = await own.bring();
    expect((await own.api.post(`${one.path}/undo`)).status).toBe(202);
    const made = { programId: own.program.id };
    const { body: payout } = await own.api.post<Payout>('/api/v1/payouts', made);
    const reserved = payout.items.reduce((sum, { amountCents }) => sum + amountCents, 0);
    expect(reserved).toBeGreaterThan(0);
    expect(await undo(one)).toMatchObject({ status: 'undone', error: meanwhile });
    await own.api.post(`/api/v1/payouts/${payout.id}/complete`, {});
    const [row] = await query<{ sum: number; paid: number }>(
      own.db,
      `SELECT sum(amount_cents)::bigint AS sum,
              (-sum(amount_cents) FILTER (WHERE type = 'payout'))::bigint AS paid
         FROM ledger_entries WHERE program_id = $1`,
      [own.program.id],
    );
    expect(row).toEqual({ sum: 0, paid: reserved });
  });

  it('stays: a partner who sells, with their code', async () => {
    const one = await own.bring();
    expect((await own.api.post(`${one.path}/undo`)).status).toBe(202);
    const sale = { promo_code: 'ANN10', amount_cents: 10_000, currency: 'usd' };
    const told = { external_transaction_id: 'meanwhile', event_type: 'purchase', ...sale };
    expect((await own.shop.post('/api/v1/conversions', told)).status).toBe(201);
    expect(await undo(one)).toMatchObject({ status: 'undone', error: meanwhile });
    const path = `/api/v1/programs/${own.program.id}/partners`;
    const { body } = await own.api.get<{ data: { partnerName: string; promoCodes: string[] }[] }>(
      path,
    );
    expect(body.data).toMatchObject([{ partnerName: 'Ann', promoCodes: ['ANN10'] }]);
    const next = { ...told, external_transaction_id: 'later' };
    expect((await own.shop.post('/api/v1/conversions', next)).body).toMatchObject({
      attributed: true,
    });
  });

  it('is no reason where a payout was cancelled before it was asked: it is in use then', async () => {
    const one = await own.bring();
    const made = { programId: own.program.id };
    const { body: payout } = await own.api.post<Payout>('/api/v1/payouts', made);
    await own.api.post(`/api/v1/payouts/${payout.id}/cancel`, {});
    const refused = await own.api.post(`${one.path}/undo`);
    expect(codeOf(refused)).toEqual([409, 'IMPORT_IN_USE']);
    expect(refused.body['counts']).toMatchObject({ paid: payout.items.length });
  });

  it('stays: a customer whose sale is being booked', async () => {
    const one = await own.bring();
    await own.report({ external_transaction_id: 'meanwhile', promo_code: 'NOBODY' });
    expect((await own.api.post(`${one.path}/undo`)).status).toBe(202);
    const [customer] = await query<{ id: string }>(
      own.db,
      `SELECT id FROM customers WHERE program_id = $1 AND customer_id = 'u1'`,
      [own.program.id],
    );
    // The lock that a report holds on the customer of its sale.
    const { undone } = await transaction(own.db, async (tx) => {
      await lockCustomers(tx, [customer?.id ?? ''], { waits: true });
      const waiting = { undone: undo(one) };
      await eventually(() => waitsForLock(own.db));
      await execute(
        tx,
        `UPDATE conversions AS v SET attributed = true, reason = 'ATTRIBUTED', matched_by = 'customer',
                customer_id = 'u1', program_id = u.program_id, participant_id = u.participant_id
           FROM customers AS u
          WHERE u.id = $1 AND v.external_transaction_id = 'meanwhile' AND v.mode = u.mode
            AND v.workspace_id = u.workspace_id`,
        [customer?.id],
      );
      return waiting;
    });
    expect(await undone).toMatchObject({ status: 'undone', error: meanwhile });
    expect((await own.shop.get('/api/v1/customers/u1')).status).toBe(200);
  });
});
