import { newId } from '../../../entities/ids';
import type { Mode } from '../../../entities/rules/values/mode';
import { execute, query } from '../../../entities/database/sql';
import type { Db } from '../../../entities/database/sql';
import { useApp } from '../../support/app';
import { buildMember } from '../../support/build/accounts';
import { buildCommission } from '../../support/build/commissions';
import { buildPromoCode } from '../../support/build/programs';
import { carryEvents } from '../../support/build/notifications';
import { callerOf } from '../../support/callers';
import { participantShops } from '../../support/partners/participants';

const app = useApp();
let db: Db;

beforeAll(async () => {
  db = app.deps.db.manager;
});

const { openShop, join } = participantShops(() => app);

describe.each<Mode>(['test', 'live'])('participants in %s mode', (mode) => {
  it('approves, suspends and reinstates, with mail, event and audit row each', async () => {
    const shop = await openShop(mode);
    const participant = await join(shop, { status: 'pending' });

    const answers = [
      await shop.api.patch(`${participant.path}/approve`),
      await shop.api.patch(`${participant.path}/suspend`, { reason: 'Spam' }),
      await shop.api.patch(`${participant.path}/reinstate`),
    ];

    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200]);
    expect(answers.map((answer) => [answer.body['status'], answer.body['statusReason']])).toEqual([
      ['approved', null],
      ['suspended', 'Spam'],
      ['approved', null],
    ]);
    expect(answers[0]?.body['approvedAt']).not.toBeNull();
    expect(answers[2]?.body['approvedAt']).toBe(answers[0]?.body['approvedAt']);

    const events = await query<{ type: string; object: Record<string, unknown>; mode: Mode }>(
      db,
      'SELECT type, object, mode FROM events WHERE object_id = $1 ORDER BY seq',
      [participant.id],
    );
    expect(events.map((event) => event.type)).toEqual([
      'participant.approved',
      'participant.suspended',
      'participant.approved',
    ]);
    expect(events[1]).toMatchObject({
      mode,
      object: { id: participant.id, status: 'suspended', status_reason: 'Spam' },
    });
    expect(JSON.stringify(events)).not.toContain(participant.partnerEmail);

    await carryEvents(app.deps);
    const mails = await query<{ type: string; params: Record<string, unknown>; mode: Mode }>(
      db,
      'SELECT type, params, mode FROM mails WHERE account_id = $1 ORDER BY id',
      [participant.partnerId],
    );
    expect(mails.map((mail) => [mail.type, mail.mode, mail.params['programName']])).toEqual([
      ['participant.approved', mode, 'Tea shop'],
      ['participant.suspended', mode, 'Tea shop'],
      ['participant.reinstated', mode, 'Tea shop'],
    ]);
    expect(mails[1]?.params['reason']).toBe('Spam');

    const audit = await query<{ action: string }>(
      db,
      'SELECT action FROM audit_log WHERE target_id = $1 ORDER BY id',
      [participant.id],
    );
    expect(audit.map((row) => row.action)).toEqual([
      'participant.approved',
      'participant.suspended',
      'participant.reinstated',
    ]);
  });

  it('rejects with a reason, and approves what was rejected', async () => {
    const shop = await openShop(mode);
    const participant = await join(shop, { status: 'pending' });
    const rejected = await shop.api.patch(`${participant.path}/reject`, { reason: 'No website' });
    const approved = await shop.api.patch(`${participant.path}/approve`);
    expect(rejected.body).toMatchObject({ status: 'rejected', statusReason: 'No website' });
    expect(approved.body).toMatchObject({ status: 'approved', statusReason: null });
  });
});

describe('suspending with rejectPending', () => {
  const statusesOf = (participantId: string) =>
    query<{ id: string; status: string; reason: string | null }>(
      db,
      `SELECT id, status, rejection_reason AS reason FROM commissions
        WHERE participant_id = $1 ORDER BY id`,
      [participantId],
    );

  const multiply = async (commissionId: string, times: number): Promise<void> => {
    const [row] = await query<{ columns: string }>(
      db,
      `SELECT string_agg(column_name, ', ') AS columns FROM information_schema.columns
        WHERE table_name = 'commissions' AND is_generated = 'NEVER'
          AND column_name NOT IN ('id', 'conversion_id')`,
    );
    await execute(
      db,
      `INSERT INTO commissions (id, conversion_id, ${row?.columns})
       SELECT gen_random_uuid(), gen_random_uuid(), ${row?.columns}
         FROM commissions, generate_series(1, $2) WHERE id = $1`,
      [commissionId, times],
    );
  };

  it('rejects what is pending for the same reason, and nothing else, with its trail', async () => {
    const shop = await openShop();
    const participant = await join(shop, { status: 'approved' });
    const pending = await buildCommission(db, { participant });
    await buildCommission(db, { participant, reviewReasons: ['FRAUD_SUSPECTED'] });
    await buildCommission(db, { participant, status: 'approved' });
    const other = await join(shop, { status: 'approved' });
    const others = await buildCommission(db, { participant: other });

    const body = { reason: 'Bids on our name', rejectPending: true };
    const answer = await shop.api.patch(`${participant.path}/suspend`, body);

    expect([answer.status, answer.body['status']]).toEqual([200, 'suspended']);
    const found = await statusesOf(participant.id);
    expect(found.map(({ status, reason }) => [status, reason])).toEqual([
      ['rejected', 'Bids on our name'],
      ['rejected', 'Bids on our name'],
      ['approved', null],
    ]);
    expect(await statusesOf(other.id)).toMatchObject([{ id: others.id, status: 'pending' }]);
    const ledger = await query<{ owed: number }>(
      db,
      'SELECT sum(amount_cents)::bigint AS owed FROM ledger_entries WHERE commission_id = $1',
      [pending.id],
    );
    expect(ledger).toEqual([{ owed: 0 }]);
    const audit = await query<{ action: string }>(
      db,
      `SELECT action FROM audit_log WHERE target_id = ANY($1) AND action LIKE '%.rejected'`,
      [found.map(({ id }) => id)],
    );
    expect(audit).toHaveLength(2);
  });

  it('leaves them waiting without it, and when the suspension is refused', async () => {
    const shop = await openShop();
    const participant = await join(shop, { status: 'approved' });
    await buildCommission(db, { participant });
    await shop.api.patch(`${participant.path}/suspend`, { reason: 'x', rejectPending: false });
    const again = { reason: 'x', rejectPending: true };
    expect((await shop.api.patch(`${participant.path}/suspend`, again)).status).toBe(409);
    expect(await statusesOf(participant.id)).toMatchObject([{ status: 'pending' }]);
    const bad = { reason: 'x', rejectPending: 'yes' };
    expect((await shop.api.patch(`${participant.path}/suspend`, bad)).status).toBe(400);
  });

  it('takes more than one batch in the one transaction', async () => {
    const shop = await openShop();
    const participant = await join(shop, { status: 'approved' });
    const { id } = await buildCommission(db, { participant });
    await multiply(id, 600);
    const body = { reason: 'x', rejectPending: true };
    expect((await shop.api.patch(`${participant.path}/suspend`, body)).status).toBe(200);
    const found = await statusesOf(participant.id);
    expect(found).toHaveLength(601);
    expect(found.filter(({ status }) => status !== 'rejected')).toEqual([]);
  });
});

describe('reinstating', () => {
  it('clears the flag of commissions whose hold ended meanwhile, and no other flag', async () => {
    const shop = await openShop();
    const participant = await join(shop, { status: 'suspended' });
    await buildCommission(db, { participant, reviewReasons: ['PARTNER_SUSPENDED'] });
    await buildCommission(db, {
      participant,
      reviewReasons: ['FRAUD_SUSPECTED', 'PARTNER_SUSPENDED'],
    });

    await shop.api.patch(`${participant.path}/reinstate`);

    const rows = await query<{ reasons: string[] }>(
      db,
      'SELECT review_reasons AS reasons FROM commissions WHERE participant_id = $1 ORDER BY id',
      [participant.id],
    );
    expect(rows.map((row) => row.reasons)).toEqual([[], ['FRAUD_SUSPECTED']]);
  });
});

describe('moves that are not allowed', () => {
  it.each([
    ['approve', ['approved', 'suspended']],
    ['reject', ['approved', 'rejected', 'suspended']],
    ['suspend', ['pending', 'rejected', 'suspended']],
    ['reinstate', ['pending', 'approved', 'rejected']],
  ] as const)('refuses %s from %j', async (decision, statuses) => {
    const shop = await openShop();
    for (const status of statuses) {
      const { path } = await join(shop, { status });
      const body = decision === 'reject' || decision === 'suspend' ? { reason: 'x' } : undefined;
      const answer = await shop.api.patch(`${path}/${decision}`, body);
      expect(answer.status).toBe(409);
      expect(answer.body['code']).toBe('PARTICIPANT_INVALID_TRANSITION');
      expect((await shop.api.get(path)).body['status']).toBe(status);
    }
  });

  it.each([
    [{}],
    [{ reason: '' }],
    [{ reason: 'x'.repeat(501) }],
    [{ reason: 5 }],
    [{ reason: 'x', by: 'me' }],
  ])('refuses the reason %j', async (body) => {
    const shop = await openShop();
    const { path } = await join(shop);
    const answer = await shop.api.patch(`${path}/suspend`, body);
    expect(answer.status).toBe(400);
    expect((await shop.api.get(path)).body['status']).toBe('approved');
  });

  it('refuses every change of an erased participant', async () => {
    const shop = await openShop();
    const participant = await join(shop, { erasedAt: new Date() });
    await buildPromoCode(db, participant, { code: 'KEEP-ME' });
    const { path } = participant;

    const answers = await Promise.all([
      shop.api.patch(`${path}/approve`),
      shop.api.patch(`${path}/reject`, { reason: 'x' }),
      shop.api.patch(`${path}/suspend`, { reason: 'x' }),
      shop.api.patch(`${path}/reinstate`),
      shop.api.post(`${path}/promo-codes`, { code: 'NEW-CODE' }),
      shop.api.delete(`${path}/promo-codes/keep-me`),
      shop.api.patch(`${path}/referral-code`, { referralCode: 'new-code' }),
    ]);

    expect(answers.map((answer) => [answer.status, answer.body['code']])).toEqual(
      Array(7).fill([409, 'PARTICIPANT_ERASED']),
    );
  });

  it('lets exactly one of many equal decisions through', async () => {
    const shop = await openShop();
    const { path } = await join(shop, { status: 'pending' });
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, index) =>
        index % 2 === 0
          ? shop.api.patch(`${path}/approve`)
          : shop.api.patch(`${path}/reject`, { reason: 'x' }),
      ),
    );
    // A rejection may be followed by an approval, never by another rejection.
    // By what was asked: an answer shows the participant as it is by then, another decision later.
    const done = answers.filter((answer) => answer.status === 200);
    const rejections = done.filter((answer) => answers.indexOf(answer) % 2 === 1);
    const approvals = done.filter((answer) => answers.indexOf(answer) % 2 === 0);
    expect(done.length).toBeGreaterThanOrEqual(1);
    expect(rejections.length).toBeLessThanOrEqual(1);
    expect(approvals.length).toBeLessThanOrEqual(1);
    expect(rejections.length + approvals.length).toBe(done.length);
    // An approval is not followed by anything, so where there is one it came last.
    const stored = (await shop.api.get(path)).body['status'];
    expect(stored).toBe(approvals.length > 0 ? 'approved' : 'rejected');
    expect(answers.filter((answer) => answer.status === 409)).toHaveLength(6 - done.length);
  });

  it('refuses viewers, before it looks anything up', async () => {
    const shop = await openShop();
    const { path } = await join(shop, { status: 'pending' });
    const viewer = await buildMember(db, {
      workspaceId: shop.program.workspaceId,
      role: 'viewer',
    });
    const api = await callerOf(app, viewer);
    const answers = await Promise.all([
      api.patch(`${path}/approve`),
      api.patch(`${shop.path}/${newId()}/approve`),
      api.post(`${path}/promo-codes`, { code: 'ABC' }),
      api.delete(`${path}/promo-codes/ABC`),
      api.patch(`${path}/referral-code`, { referralCode: 'abc' }),
    ]);
    expect(answers.map((answer) => answer.body['code'])).toEqual(Array(5).fill('FORBIDDEN'));
    expect((await api.get(path)).status).toBe(200);
  });
});

describe('an archived programme (programmes.md, Archived)', () => {
  it('takes no change of its partners and their codes any more', async () => {
    const shop = await openShop('live', { status: 'archived' });
    const participant = await join(shop);
    const { path } = participant;
    await buildPromoCode(db, participant, { code: 'ABC' });
    const answers = await Promise.all([
      shop.api.patch(`${path}/suspend`, { reason: 'Fraud' }),
      shop.api.patch(`${path}/approve`),
      shop.api.delete(`${path}/promo-codes/ABC`),
      shop.api.post(`${path}/promo-codes`, { code: 'ABC' }),
      shop.api.patch(`${path}/referral-code`, { referralCode: 'abc' }),
    ]);
    expect(answers.map((answer) => answer.body['code'])).toEqual(Array(5).fill('PROGRAM_ARCHIVED'));
  });

  it('says of what it does not know that it is unknown', async () => {
    const shop = await openShop('live', { status: 'archived' });
    const { path } = await join(shop);
    const unknown = `${shop.path}/${newId()}`;
    const invite = `/api/v1/programs/${shop.program.id}/invites/${newId()}`;
    const answers = await Promise.all([
      shop.api.patch(`${unknown}/suspend`, { reason: 'Fraud' }),
      shop.api.patch(`${unknown}/approve`),
      shop.api.post(`${unknown}/promo-codes`, { code: 'ABC' }),
      shop.api.delete(`${path}/promo-codes/NONE`),
      shop.api.post(`${invite}/resend`),
      shop.api.delete(invite),
    ]);
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(404));
  });
});
