import { unlockSubject } from '../../../activities/erasure/access';
import { anonymiseSubject } from '../../../activities/erasure/anonymise';
import { instantIn } from '../../../activities/erasure/deadline';
import { lockSubject } from '../../../activities/erasure/lock';
import { newId } from '../../../entities/ids';
import { systemActor } from '../../../entities/rules/values/actor';
import { query, queryOne } from '../../../entities/database/sql';
import { useDeps } from '../../support/app';
import { buildPartner } from '../../support/build/accounts';
import { buildParticipant } from '../../support/build/programs';
import { eventually } from '../../support/eventually';
import { holdTransaction } from '../../support/postgres/held-transaction';

const deps = useDeps();

async function lockedErasure() {
  const db = deps.db.manager;
  const partner = await buildPartner(db);
  const participant = await buildParticipant(db, {
    partnerId: partner.id,
    partnerName: 'Jane Doe',
  });
  const key = { erasureId: newId(), kind: 'account', subjectId: partner.id } as const;
  await lockSubject(deps, { actor: systemActor, now: new Date() }, key);
  const look = async () => {
    const [row] = await query<{ status: string; name: string }>(
      db,
      `SELECT e.status, p.partner_name AS name FROM erasures e, participants p
        WHERE e.id = $1 AND p.id = $2`,
      [key.erasureId, participant.id],
    );
    return row;
  };
  return { key, participant, look };
}

const pass = (erasureId: string, until: string | null) =>
  anonymiseSubject(deps, { now: new Date(), until }, erasureId);

const untouched = { status: 'locked', name: 'Jane Doe' };

describe('the point of no return', () => {
  async function holding(participantId: string): Promise<() => Promise<void>> {
    const { tx, commit } = await holdTransaction(deps.db);
    await query(tx, 'SELECT 1 FROM participants WHERE id = $1 FOR UPDATE', [participantId]);
    return commit;
  }

  it('waits for no lock beyond the deadline, and is not passed after it', async () => {
    const { key, participant, look } = await lockedErasure();
    const letGo = await holding(participant.id);
    const until = await instantIn(deps.db.manager, 300);
    // The server ends the statement that waits: nothing stays, and the next try comes too late.
    await expect(pass(key.erasureId, until)).rejects.toMatchObject({ code: '57014' });
    await letGo();
    expect(await look()).toEqual(untouched);
    expect(await pass(key.erasureId, until)).toBe(false);
    expect(await unlockSubject(deps, { now: new Date() }, key)).toBe(true);
    expect(await look()).toEqual({ status: 'cancelled', name: 'Jane Doe' });
  });

  it('is not passed when what it waited for came free after the deadline', async () => {
    const { key, participant, look } = await lockedErasure();
    const letGo = await holding(participant.id);
    const until = await instantIn(deps.db.manager, 300);
    const outcome = pass(key.erasureId, until).catch(() => 'ended by the server');
    await eventually(() =>
      queryOne(deps.db.manager, 'SELECT 1 WHERE clock_timestamp() > $1::timestamptz', [until]),
    );
    await letGo();
    expect(['ended by the server', false]).toContain(await outcome);
    expect(await look()).toEqual(untouched);
  });

  it('passes in time, and a repeat is told so, however late it comes', async () => {
    const { key, look } = await lockedErasure();
    expect(await pass(key.erasureId, await instantIn(deps.db.manager, 20_000))).toBe(true);
    expect(await look()).toMatchObject({ status: 'anonymised' });
    expect(await pass(key.erasureId, '2020-01-01T00:00:00Z')).toBe(true);
  });
});
