import { codeOf } from '../../support/api-client';
import { query, transaction } from '../../../entities/database/sql';
import { newId } from '../../../entities/ids';
import { useApp } from '../../support/app';
import { buildMember } from '../../support/build/accounts';
import { buildCommission } from '../../support/build/commissions';
import { buildParticipant, buildProgram } from '../../support/build/programs';
import { callerOf } from '../../support/callers';

const app = useApp();

async function buildPending() {
  const db = app.deps.db.manager;
  const owner = await buildMember(db);
  const program = await buildProgram(db, { workspaceId: owner.workspaceId, mode: 'test' });
  const participant = await buildParticipant(db, { program });
  const { id } = await buildCommission(db, { participant, program });
  return {
    api: await callerOf(app, owner, 'test'),
    id,
    path: `/api/v1/programs/${program.id}/commissions`,
  };
}

/** Holds the row as a payout does, and frees it once it was asked for. */
async function whileHeld<T>(id: string, ask: () => Promise<T>): Promise<T> {
  let asked: Promise<T> | undefined;
  await transaction(app.deps.db, async (tx) => {
    await query(tx, 'SELECT 1 FROM commissions WHERE id = $1 FOR UPDATE', [id]);
    asked = ask();
    // Long enough that the first attempt has met the lock.
    await query(tx, 'SELECT pg_sleep(0.4)');
  });
  return asked as Promise<T>;
}

it('a bulk decision beside a transaction that holds its commission is answered by the rule', async () => {
  const { api, id, path } = await buildPending();
  const body = { commissionIds: [id], reason: 'returned' };
  const answer = await whileHeld(id, () => api.patch(`${path}/bulk-reject`, body));
  expect([answer.status, answer.body]).toMatchObject([200, { succeeded: 1 }]);
});

it('decisions about what a payout has are refused at once, though its rows are locked', async () => {
  const { api, id, path } = await buildPending();
  const db = app.deps.db.manager;
  await db.query(
    `UPDATE commissions SET status = 'approved', approved_at = now(), payout_id = $2
    WHERE id = $1`,
    [id, newId()],
  );
  await transaction(db, async (tx) => {
    // The lock that the payout's completion holds until all is booked.
    await query(tx, 'SELECT 1 FROM commissions WHERE id = $1 FOR UPDATE', [id]);
    const one = await api.patch(`${path}/${id}/reject`, { reason: 'returned' });
    expect(codeOf(one)).toEqual([409, 'COMMISSION_IN_PAYOUT']);
    const body = { commissionIds: [id], reason: 'returned' };
    const bulk = await api.patch(`${path}/bulk-reject`, body);
    expect([bulk.status, bulk.body]).toMatchObject([
      422,
      { results: [{ commissionId: id, code: 'COMMISSION_IN_PAYOUT' }] },
    ]);
  });
});

it('a POST under an Idempotency-Key that meets a lock waits for it and is done once', async () => {
  const { api, id, path } = await buildPending();
  const options = { headers: { 'Idempotency-Key': newId() } };
  const elapse = () => api.post(`${path}/${id}/elapse-hold`, {}, options);
  const answer = await whileHeld(id, elapse);
  expect([answer.status, answer.body]).toMatchObject([200, { holdActive: false }]);
  const again = await elapse();
  expect(again.body).toEqual(answer.body);
  expect(again.headers.get('idempotent-replayed')).toBe('true');
});
